// The folder that students get: the labs, and the kit without what is the staff's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "common/expected.h"
#include "grader/authoring/release/handout_files.h"
#include "grader/authoring/release/handout_readme.h"

namespace tessera {

/// Copies the files of the kit and of the datasets' folder into the new folder `handout`, and what
/// only a handout has: README.md, the workflow, the container. Throws filesystem_error for a
/// failing disk.
std::optional<Error> copy_kit(const HandoutSources& sources, const HandoutFiles& files,
                              const HandoutReadme& readme, const std::filesystem::path& handout);

/// Copies the files of the lab `id`.
void copy_lab(const HandoutSources& sources, const HandoutFiles& files, const std::string& id,
              const std::filesystem::path& handout);

}  // namespace tessera
