// Mistakes of result[i] = input[i] - input[i - 1].
#pragma once

#include <vector>

#include "grader/judge/diagnosis/hypothesis.h"

namespace tessera {

std::vector<Hypothesis> adjacent_difference_hypotheses(const WrongOutput& output);

}  // namespace tessera
