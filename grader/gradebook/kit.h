// What a batch grades with: the labs as they are now, and a copy of what a worker may see of them.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "common/expected.h"
#include "grader/judge/run/grade_options.h"
#include "grader/lab/lab.h"

namespace tessera {

/// Copies into the existing empty folder `stage` what a worker needs: for each of `labs` a folder
/// named by its id and laid out as the kit is. It has datasets/, common/ and, of the labs, only
/// this one's declaration and hidden cases. If `options` have a GPU also the labs that it is
/// measured against, each with the PTX of its reference; no reference itself. Returns what failed.
std::optional<Error> stage_kit(const std::vector<Lab>& labs, const GradeOptions& options,
                               const std::filesystem::path& stage);

}  // namespace tessera
