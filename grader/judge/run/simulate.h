// Runs one case of a lab on the simulator and compares what it left in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "grader/judge/points/weigh.h"
#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"

namespace tessera {

/// How long a kernel may run.
struct Patience {
  int timeouts = 0;  // how many earlier cases did not end: each makes the limit smaller
  /// The steps of all warps of a launch together, if that is less than a grading allows.
  std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
};

/// Runs a case and compares its output. `number` counts from 1, and with the seed it decides the
/// inputs. Throws if this machine lacks resources, or BrokenReference.
CaseOutcome simulate_case(const Lab& lab, const Program& program, std::size_t number,
                          const Patience& patience, const GradeOptions& options);

/// The outcome of a case whose run did not complete: its status, and why.
CaseOutcome stopped_outcome(RunResult result);

}  // namespace tessera
