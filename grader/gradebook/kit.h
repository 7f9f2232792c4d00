// What a batch grades with: the labs as they are now, and a copy of what a worker may see of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/compile/compiler.h"
#include "grader/gpu/device.h"
#include "grader/lab/lab.h"

namespace tessera {

/// Where the kit's parts are, and the program that grades.
struct KitPaths {
  std::filesystem::path program;  // build/tessera, absolute
  std::filesystem::path labs;
  std::filesystem::path solutions;
  std::filesystem::path datasets;
  std::filesystem::path include_dir;  // common/include
  std::filesystem::path devices;      // common/devices
};

/// Copies into the existing empty folder `stage` what a worker needs: for each of `labs` a folder
/// of its id, laid out as the kit is, with this lab's declaration and hidden cases alone, datasets
/// and common/. With a `gpu` also the labs that it is measured against, each with the PTX of its
/// reference, made with `compiler`; no reference itself. Returns what failed.
std::optional<Error> stage_kit(const std::vector<Lab>& labs, const KitPaths& kit,
                               const std::optional<GpuDevice>& gpu, CompilerKind compiler,
                               const std::filesystem::path& stage);

}  // namespace tessera
