// Right values in the wrong place, and what an output may hold whatever its operation is.
#pragma once

#include <vector>

#include "grader/judge/diagnosis/hypothesis.h"

namespace tessera {

/// The element of a neighbour, another block's or the transposed output's, rows of a wrong length.
std::vector<Hypothesis> placement_hypotheses(const WrongOutput& output);

/// Zero, a copy of an input, a multiple of what is right, the old contents added.
std::vector<Hypothesis> value_hypotheses(const WrongOutput& output);

/// Elements that nobody writes: a grid that is too small or the wrong way round, guards that leave
/// out too much.
std::vector<Hypothesis> coverage_hypotheses(const WrongOutput& output);

/// Wrong elements that show where to look, and not why: the edge tiles, the first of each block.
std::vector<Hypothesis> region_hypotheses(const WrongOutput& output, Target target);

}  // namespace tessera
