// Which files students get: those that grader/authoring/handout_files.txt lists, and the sources
// from which the program is built.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/expected.h"

namespace tessera {

/// The folders of which a handout is made.
struct HandoutSources {
  std::filesystem::path kit;
  std::filesystem::path labs;
  std::filesystem::path datasets;
};

/// Files below `folder`, relative to it, sorted; none where there is no such folder.
std::set<std::filesystem::path> files_below(const std::filesystem::path& folder);

class HandoutFiles {
 public:
  /// The list in the kit `sources.kit`. Errors: it cannot be read, or a file of the build cannot.
  static Expected<HandoutFiles> read(const HandoutSources& sources);

  /// Files of the kit, relative to it: the listed ones, what tessera_library, tessera_program,
  /// target_sources, configure_file and file name in the listed CMakeLists.txt, and what these
  /// include with quotes.
  const std::vector<std::filesystem::path>& of_kit() const { return kit_; }

  /// Listed files of the datasets' folder, relative to it.
  const std::vector<std::filesystem::path>& of_datasets() const { return datasets_; }

  /// Listed files of the lab `id`, relative to its folder.
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
