// Runs cases of a lab on a GPU and compares what they left in memory.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grader/judge/points/weigh.h"
#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"

namespace tessera {

/// The outcomes of the cases with these `numbers`, which count from 1. They have no counters, and
/// the only findings about accesses are those of guard bands and traps.
std::vector<CaseOutcome> run_cases_on_gpu(const Lab& lab, const Program& program,
                                          std::span<const std::size_t> numbers,
                                          const GradeOptions& options);

}  // namespace tessera
