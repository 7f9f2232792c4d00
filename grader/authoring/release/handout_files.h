// The files that students get: those that grader/authoring/handout_files.txt lists, and the sources
// of the program.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// The folders from which a handout is made.
struct HandoutSources {
  std::filesystem::path kit;
  std::filesystem::path labs;
  std::filesystem::path datasets;
};

/// The files below `folder`, relative to it, sorted; none if there is no such folder.
std::set<std::filesystem::path> files_below(const std::filesystem::path& folder);

class HandoutFiles {
 public:
  /// Reads the list in the kit `sources.kit`. Errors: it or a file of the build cannot be read.
  static Expected<HandoutFiles> read(const HandoutSources& sources);

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
  explicit HandoutFiles(HandoutSources sources) : sources_(std::move(sources)) {}

  HandoutSources sources_;
  std::vector<std::string> patterns_;
  std::vector<std::filesystem::path> kit_;
  std::vector<std::filesystem::path> datasets_;
};

}  // namespace tessera
