// A download as a tree of files and folders on disk; no entry leads out of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/expected.h"
#include "common/temporary_directory.h"
#include "grader/gradebook/intake/archive.h"

namespace tessera {

struct TreeEntry {
  enum class Kind { file, folder, refused };

  Kind kind = Kind::refused;
  std::string name = "";            // UTF-8, as utf8_name() writes it
  std::filesystem::path path = {};  // on disk; "" for a folder of which nothing was unpacked
  std::string problem = "";         // of a refused entry: "a link"
  std::uint64_t bytes = 0;          // of a refused entry that is too large
  /// Entries of this folder that were not unpacked, with paths relative to it.
  std::vector<RefusedEntry> refused = {};

  bool is_file() const { return kind == Kind::file; }
  bool is_folder() const { return kind == Kind::folder; }
};

struct Listing {
  std::vector<TreeEntry> entries;  // as natural_less() orders names
  std::string problem;             // why the folder cannot be read completely; "" if it can
};

/// Lists `folder` without system files. A link is refused, whatever it points to. Throws
/// ResourceFailure if it cannot be read because of this machine.
Listing list_folder(const TreeEntry& folder);

/// The same; a folder that cannot be read is treated as empty.
inline std::vector<TreeEntry> entries_of(const TreeEntry& folder) {
  return list_folder(folder).entries;
}

class Download {
 public:
  /// A folder, or an archive, which is unpacked into a folder that lives as long as the download.
  /// Errors: no such path, neither folder nor archive, empty, unreadable. Throws ResourceFailure if
  /// there is no room to unpack it.
  static Expected<Download> open(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }  // as given
  const TreeEntry& root() const { return root_; }
  bool is_archive() const { return unpacked_ != nullptr; }

 private:
  std::filesystem::path path_;
  TreeEntry root_;
  std::unique_ptr<TemporaryDirectory> unpacked_;
};

}  // namespace tessera
