// Says why a result is wrong, from its shape: which elements are wrong, and what they are instead.
#pragma once

#include <vector>

#include "grader/judge/points/weigh.h"
#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"
#include "grader/lab/lab.h"

namespace tessera {

/// Puts the diagnosis into the findings wrong-result, not-finite and output-not-written of the
/// cases that a student can see: its sentence before the example, what to do as the hint, its word
/// (diagnosis/words.h) as example["diagnosis"].
///
/// One diagnosis must explain every wrong element of every such case, and no other one of its rank
/// may. Says nothing where there was a race in any case, where values are too few to exclude
/// chance, and of cases that are too large. A case in which memory was read or written wrongly
/// cannot contradict a diagnosis. Hidden cases take no part: a student's machine and the grader's
/// say the same.
void diagnose(const Lab& lab, const Program& program, const GradeOptions& options,
              std::vector<CaseOutcome>& outcomes);

}  // namespace tessera
