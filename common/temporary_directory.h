// A directory for temporary files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tessera {

/// The folder for temporary files: TMPDIR if it is set, otherwise /tmp. Throws ResourceFailure,
/// which names the variable and its value, if that is not a folder.
std::filesystem::path temporary_folder();

/// A new directory "tessera-scratch-XXXXXX" in temporary_folder(), removed by the destructor with
/// everything in it. It is locked (flock) as long as the process that made it lives. Throws
/// ResourceFailure if it cannot be made.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file in the directory and returns its path.
  std::filesystem::path write(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // a descriptor of the directory
};

/// Removes the temporary directories that killed processes of this user left behind, but not those
/// of other users or running processes, nor anything else in the folder. A directory that cannot be
/// removed is ignored.
void remove_abandoned_directories();

}  // namespace tessera
