// Grades one kernel of one student in a process of its own: `tessera grade` inside a sandbox.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/compile/source.h"
#include "grader/gpu/device.h"
#include "grader/gradebook/kit.h"
#include "grader/judge/points/record.h"
#include "grader/process/sandbox.h"

namespace tessera {

struct WorkerOptions {
  std::filesystem::path program;  // build/tessera, absolute
  std::filesystem::path stage;    // stage_kit()'s folder of the lab
  IsolationTier tier = IsolationTier::limits;
  SandboxLimits limits;
  std::string backend = "auto";
  std::string compiler = "auto";
  std::string device;       // the profile that is simulated, as --device takes it
  std::string device_name;  // and as records call it
  std::uint64_t seed = 0;
  int threads = 1;  // of the simulator
  std::optional<GpuDevice> gpu;
};

/// Grades `source` as a submission for `lab`; the record calls its file `path`. A worker that fails
/// costs this kernel alone: out of time is a `timeout`, too much memory an `error`. A worker that
/// leaves no record, or an impossible one (judge/points/record_check.h), is started once more, and
/// after that on a file without a kernel. If that fails too, the record is `infra`; else the kernel
/// is to blame: an `error` with the finding `grader-crash`. Nothing if `stop` ended it.
std::optional<Record> grade_in_sandbox(const Lab& lab, const Source& source,
                                       const std::string& path, const WorkerOptions& options,
                                       const std::atomic<bool>& stop);

}  // namespace tessera
