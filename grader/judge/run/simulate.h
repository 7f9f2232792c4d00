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
  int timeouts = 0;  // how many cases before this one did not end: a loop gets fewer steps then
  /// Of all warps of one launch together, where that is less than a grading allows.
  std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max();
};

/// The case's number counts from 1; with the seed it decides the inputs. Throws what resource
/// failure throws.
CaseOutcome simulate_case(const Lab& lab, const Program& program, std::size_t number,
                          const Patience& patience, const GradeOptions& options);

/// A run that did not come to its end: which status that makes, and why.
CaseOutcome stopped_outcome(RunResult result);

}  // namespace tessera
