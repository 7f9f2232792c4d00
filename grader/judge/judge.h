// Grades one submission of one lab: compiles it, runs the cases, weighs what was found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "common/device_profile.h"
#include "grader/compile/compiler.h"
#include "grader/gpu/device.h"
#include "grader/judge/record.h"
#include "grader/lab/lab.h"

namespace tessera {

struct GradeOptions {
  CompilerKind compiler = CompilerKind::automatic;
  DeviceProfile device;  // the profile that is simulated
  std::uint64_t seed = 0;
  std::filesystem::path include_dir;  // common/include
  std::filesystem::path cache_dir;
  int host_threads = 0;
  bool simulate = true;          // cases run on the simulator, else on `gpu`
  std::optional<GpuDevice> gpu;  // for time, and for what the simulator does not know
  /// Where other labs' references are found, to be measured against.
  std::filesystem::path labs;
  std::filesystem::path solutions;
  std::filesystem::path datasets;
};

/// Grades `submission` (a kernel.cu, which may not exist). Never throws for what a submission does.
Record grade(const Lab& lab, const std::filesystem::path& submission, const GradeOptions& options);

}  // namespace tessera
