// How submissions are graded: with which compiler, on which machine, from which folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "common/device_profile.h"
#include "grader/compile/compiler.h"
#include "grader/gpu/device.h"
#include "grader/lab/kit_folders.h"

namespace tessera {

class ExpectedResults;
class InterpreterPool;
struct Record;

/// What kernels run on.
struct Machine {
  DeviceProfile device;                           // the profile that is simulated
  std::shared_ptr<InterpreterPool> interpreters;  // execute submissions
  int host_threads = 0;
  bool simulate = true;          // cases run on the simulator, else on `gpu`
  std::optional<GpuDevice> gpu;  // for time, and for what the simulator does not know
};

/// The device that a submission is compiled for: the GPU, or the one that is modelled.
const DeviceProfile& target_device(const Machine& machine);

/// What a grading needs beside the lab and the submission.
struct GradeOptions {
  CompilerSetup compiler;
  Machine machine;
  KitFolders kit;  // `labs` and `solutions`: where other labs' references are, to measure against
  std::uint64_t seed = 0;
  /// The folder of the submissions, out of which no link may lead; empty: links are followed.
  std::filesystem::path submissions;
  /// Keeps what a lab's reference.cu computes, for the next kernel; null: nothing is kept.
  std::shared_ptr<ExpectedResults> expected;
  /// Compiles the lab's reference.cu if it is not `compiler.kind`, so that several compilers'
  /// kernels are held against the same results.
  std::optional<CompilerKind> reference_compiler;
  /// Called with the record as it would be if the grader ended now: after every case that the
  /// simulator has run, and before times are modelled or measured. Not for the last record.
  std::function<void(const Record&)> on_progress;
};

}  // namespace tessera
