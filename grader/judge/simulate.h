// Runs one case of a lab on the simulator and compares what it left in memory.
#pragma once

#include "grader/judge/judge.h"
#include "grader/judge/program.h"
#include "grader/judge/weigh.h"

namespace tessera {

/// The case's number counts from 1; with the seed it decides the inputs. `timeouts` is
/// how many cases before it did not end: a loop gets fewer steps then. Throws what resource failure
/// throws.
CaseOutcome simulate_case(const Lab& lab, const Program& program, std::size_t number, int timeouts,
                          const GradeOptions& options);

/// A run that did not come to its end: which status that makes, and why.
CaseOutcome stopped_outcome(RunResult result);

}  // namespace tessera
