// The folder that students get: the labs, and the kit without the staff's parts.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/expected.h"
#include "grader/authoring/release/handout_files.h"
#include "grader/authoring/release/handout_readme.h"

namespace tessera {

/// Copies into the new folder `handout` the files of the kit and of the datasets' folder, and what
/// only a handout has: README.md, the workflow, the container. Throws filesystem_error if the disk
/// fails.
std::optional<Error> copy_kit(const KitFolders& from, const HandoutFiles& files,
                              const HandoutReadme& readme, const std::filesystem::path& handout);

/// Copies the files of the lab `id`.
void copy_lab(const KitFolders& from, const HandoutFiles& files, const std::string& id,
              const std::filesystem::path& handout);

}  // namespace tessera
