// Hypotheses for any operation: right values in the wrong place, and other contents of an output.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grader/judge/diagnosis/hypothesis.h"

namespace tessera {

/// Elements of a neighbour, of another block or of the transposed output, and rows of a wrong
/// length.
std::vector<Hypothesis> placement_hypotheses(const WrongOutput& output);

/// Zeros, a copy of an input, a multiple of the right values, the old contents added to them.
std::vector<Hypothesis> value_hypotheses(const WrongOutput& output);

/// Elements that no thread writes: a grid that is too small or whose axes are exchanged, guards
/// that leave out too much, indices that do not reach the elements.
std::vector<Hypothesis> coverage_hypotheses(const WrongOutput& output);

/// The coverage_hypotheses() about an index: blockIdx or threadIdx left out, not multiplied, or
/// multiplied by a number that is not the block's size.
std::vector<Hypothesis> index_hypotheses(const WrongOutput& output);

/// An output that is unwritten where `missing` says so, and right elsewhere.
Hypothesis missing_where(const WrongOutput& output, std::string word, std::string variant,
                         Rank rank, Text sentence, Text hint,
                         std::function<bool(int row, int column)> missing);

/// Regions of wrong elements, which show where to look but not why: the edge tiles, the first
/// element of each block.
std::vector<Hypothesis> region_hypotheses(const WrongOutput& output, Target target);

}  // namespace tessera
