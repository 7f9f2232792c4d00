// Says why a result is wrong, judging by which elements are wrong and what they hold instead.
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
/// The diagnosis must explain every wrong element of every such case, and no other of its rank may.
/// There is none if the values are too few to exclude chance, and none for cases that are too
/// large. If threads raced for elements of the output, only mistakes that cause such races are
/// tried; after any other race, none. A case in which memory was read or written wrongly cannot
/// contradict a diagnosis. Hidden cases take no part, so a student's machine and the grader's say
/// the same.
void diagnose(const Lab& lab, const Program& program, const GradeOptions& options,
              std::vector<CaseOutcome>& outcomes);

}  // namespace tessera
