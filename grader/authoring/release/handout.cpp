#include "grader/authoring/release/handout.h"

#include <vector>

#include "common/text.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

void copy_files(const fs::path& from, const std::vector<fs::path>& names, const fs::path& to) {
  for (const fs::path& name : names) {
    fs::create_directories((to / name).parent_path());
    fs::copy_file(from / name, to / name);
  }
}

}  // namespace

std::optional<Error> copy_kit(const KitFolders& from, const HandoutFiles& files,
                              const HandoutReadme& readme, const fs::path& handout) {
  copy_files(from.root, files.of_kit(), handout);
  copy_files(from.datasets, files.of_datasets(), handout / "datasets");
  fs::copy(from.root / "grader" / "authoring" / "handout", handout, fs::copy_options::recursive);
  const fs::path file = handout / "README.md";
  const Expected<std::string> page = read_file(file);
  return page ? write_file(file, filled_in(*page, readme)) : std::optional(page.error());
}

void copy_lab(const KitFolders& from, const HandoutFiles& files, const std::string& id,
              const fs::path& handout) {
  copy_files(from.labs / id, files.of_lab(id), handout / "labs" / id);
}

}  // namespace tessera
