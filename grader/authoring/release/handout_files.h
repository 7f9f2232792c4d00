// The files that students get: those that grader/authoring/handout_files.txt lists, and the sources
// of the program.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/expected.h"
#include "grader/lab/kit_folders.h"

namespace tessera {

/// The files below `folder`, relative to it, sorted; none if there is no such folder.
std::set<std::filesystem::path> files_below(const std::filesystem::path& folder);

class HandoutFiles {
 public:
  /// Reads the list in the kit `from.root`. Errors: it or a file of the build cannot be read.
  static Expected<HandoutFiles> read(const KitFolders& from);

  /// The files of the kit, relative to it: the listed ones, those that the commands
  /// tessera_library, tessera_program, target_sources, configure_file and file in the listed
  /// CMakeLists.txt name, and those that these include with quotes.
  const std::vector<std::filesystem::path>& of_kit() const { return kit_; }

  /// The listed files of the datasets' folder, relative to it.
  const std::vector<std::filesystem::path>& of_datasets() const { return datasets_; }

  /// The listed files of the lab `id`, relative to its folder.
  std::vector<std::filesystem::path> of_lab(const std::string& id) const;

  /// The other files of the lab, which stay with the instructor.
  std::vector<std::filesystem::path> kept_of_lab(const std::string& id) const;

 private:
  explicit HandoutFiles(KitFolders from) : from_(std::move(from)) {}

  KitFolders from_;
  std::vector<std::string> patterns_;
  std::vector<std::filesystem::path> kit_;
  std::vector<std::filesystem::path> datasets_;
};

}  // namespace tessera
