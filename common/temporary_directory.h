// A directory for files that nobody needs later.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tessera {

/// The folder for temporary files: what TMPDIR names, else /tmp. Throws ResourceFailure, which
/// names the variable and its value, where that is no folder.
std::filesystem::path temporary_folder();

/// A new directory "tessera-scratch-XXXXXX" in temporary_folder(), removed with everything in it at
/// the end. It is locked (flock) as long as the process lives that made it. Throws ResourceFailure
/// where none can be made.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file in the directory and returns where it is.
  std::filesystem::path write(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // a descriptor of the directory
};

/// Removes the temporary directories that killed processes of this user have left behind. Those of
/// other users, of running processes, and whatever else is in the folder stay. Never throws for
/// what cannot be removed.
void remove_abandoned_directories();

}  // namespace tessera
