// Compares what a kernel left in memory with what it must be: every element, every time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/finding.h"
#include "common/host_matrix.h"
#include "common/operation.h"
#include "grader/judge/compare/result_map.h"

namespace tessera {

struct Comparison {
  std::vector<Finding> findings;  // empty where every element is right
  bool unwritten = false;         // not one element was written
  Reference reference;            // where there are findings and it was computed; or empty
  std::optional<ResultMap> map;   // where an element is not right; without tiles
};

/// Output `name` against `reference`. Element i is right when |got - value[i]| <= bound[i], which
/// no NaN is. What is not right is output-not-written (still poison), not-finite or wrong-result,
/// each with how many, where, and the first one.
Comparison compare_output(const std::string& name, const HostMatrix& got,
                          const Reference& reference);

/// input-modified where the bits of an element of input `name` changed.
std::optional<Finding> find_modified(const std::string& name, const HostMatrix& before,
                                     const HostMatrix& after);

/// out-of-bounds where the padding between the rows of output `name` is no longer poison. What
/// follows the last row is not part of the matrix.
std::optional<Finding> find_padding_write(const std::string& name, const HostMatrix& output);

/// "C[3][5]", or "result[5]" for a vector.
ArrayElement element_name(const std::string& name, const HostMatrix& matrix, int row, int column);

}  // namespace tessera
