// Right values in the wrong place, and what an output may hold whatever its operation is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/judge/diagnosis/hypothesis.h"

namespace tessera {

/// The element of a neighbour, another block's or the transposed output's, rows of a wrong length.
std::vector<Hypothesis> placement_hypotheses(const WrongOutput& output);

/// Zero, a copy of an input, a multiple of what is right, the old contents added.
std::vector<Hypothesis> value_hypotheses(const WrongOutput& output);

/// Elements that nobody writes: a grid that is too small or the wrong way round, guards that leave
/// out too much, indices that never get there.
std::vector<Hypothesis> coverage_hypotheses(const WrongOutput& output);

/// Those of an index: blockIdx or threadIdx left out, not multiplied, or multiplied by a number
/// that is not the block's size.
std::vector<Hypothesis> index_hypotheses(const WrongOutput& output);

/// An output that is unwritten where `missing` says so, and right elsewhere.
Hypothesis missing_where(const WrongOutput& output, std::string word, std::string variant,
                         Rank rank, Text sentence, Text hint,
                         std::function<bool(int row, int column)> missing);

/// Wrong elements that show where to look, and not why: the edge tiles, the first of each block.
std::vector<Hypothesis> region_hypotheses(const WrongOutput& output, Target target);

}  // namespace tessera
