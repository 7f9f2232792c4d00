// Outputs that are right for other inputs: read transposed, one element too far, rounded, in part.
#pragma once

#include <vector>

#include "grader/judge/diagnosis/hypothesis.h"

namespace tessera {

/// Hypotheses for any operation, whose reference is computed again for changed inputs. Products are
/// computed element by element, so that a hypothesis that does not fit costs little.
std::vector<Hypothesis> altered_input_hypotheses(const WrongOutput& output);

}  // namespace tessera
