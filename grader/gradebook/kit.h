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
/// of its id, laid out as the kit is, with this lab's declaration and hidden cases alone, datasets
/// and common/. If `options` have a GPU also the labs that it is measured against, each with the
/// PTX of its reference; no reference itself. Returns what failed.
std::optional<Error> stage_kit(const std::vector<Lab>& labs, const GradeOptions& options,
                               const std::filesystem::path& stage);

}  // namespace tessera
