// Grades one submission of one lab: compiles it, runs the cases, weighs what was found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/device_profile.h"
#include "grader/compile/compiler.h"
#include "grader/gpu/device.h"
#include "grader/judge/record.h"
#include "grader/lab/lab.h"

namespace tessera {

class InterpreterPool;

class ExpectedResults;

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

/// The record of a submission that nobody has looked at yet: every item is worth nothing and says
/// that the grader was stopped before it came there.
Record not_yet_graded(const Lab& lab, const std::filesystem::path& submission,
                      const GradeOptions& options);

/// Grades `submission` (a kernel.cu, which may not exist). Never throws for what a submission does.
Record grade(const Lab& lab, const std::filesystem::path& submission, const GradeOptions& options);

/// The same of a kernel that is in no file; the record calls it `name`.
Record grade_source(const Lab& lab, const std::string& name, const Source& source,
                    const GradeOptions& options);

}  // namespace tessera
