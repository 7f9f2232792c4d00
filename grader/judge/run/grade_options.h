// How submissions are graded: with which compiler and devices, from which folders.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "common/device_profile.h"
#include "grader/compile/compiler.h"
#include "grader/gpu/device.h"

namespace tessera {

class ExpectedResults;
class InterpreterPool;
struct Record;

/// What a grading needs beside the lab and the submission.
struct GradeOptions {
  CompilerKind compiler = CompilerKind::automatic;
  DeviceProfile device;  // the profile that is simulated
  std::uint64_t seed = 0;
  std::filesystem::path include_dir;       // common/include
  std::filesystem::path compiler_program;  // tessera-compiler, which compiles submissions
  std::filesystem::path cache_dir;
  std::shared_ptr<InterpreterPool> interpreters;  // execute submissions
  int host_threads = 0;
  bool simulate = true;          // cases run on the simulator, else on `gpu`
  std::optional<GpuDevice> gpu;  // for time, and for what the simulator does not know
  /// The folder of the submissions, out of which no link may lead; empty: links are followed.
  std::filesystem::path submissions;
  /// Where other labs' references are found, to be measured against.
  std::filesystem::path labs;
  std::filesystem::path solutions;
  std::filesystem::path datasets;
  /// Keeps what a lab's reference.cu computes, for the next kernel; null: nothing is kept.
  std::shared_ptr<ExpectedResults> expected;
  /// Compiles the lab's reference.cu where it is not `compiler`, so that several compilers' kernels
  /// are held against the same results.
  std::optional<CompilerKind> reference_compiler;
  /// Called with the record as it would be if the grader ended now: after every case that the
  /// simulator has run, and before times are modelled or measured. Not for the last record.
  std::function<void(const Record&)> on_progress;
};

}  // namespace tessera
