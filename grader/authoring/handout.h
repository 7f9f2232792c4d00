// The folder that students get: the labs, and the kit without what is the staff's.
#pragma once

#include <filesystem>
#include <optional>

#include "common/expected.h"
#include "grader/authoring/handout_readme.h"

namespace tessera {

/// Whether students get the kit's file or folder `name` (relative to the kit): common, datasets,
/// grader and the files of the build. Tests, benchmarks, tools that measure, the kit's pictures,
/// the template of a lab and everything else are the staff's.
bool is_handed_out(const std::filesystem::path& name);

/// Copies the kit into the new folder `handout`, and what only a handout has: README.md, the
/// workflow, the container. Throws filesystem_error for a failing disk.
std::optional<Error> copy_kit(const std::filesystem::path& kit, const HandoutReadme& readme,
                              const std::filesystem::path& handout);

/// Copies what students get of a lab: everything but what only the kit makes, baseline.ptx.
void copy_lab(const std::filesystem::path& lab, const std::filesystem::path& handout);

}  // namespace tessera
