// Compares every element that a kernel left in memory with what it must be.
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
  std::vector<Finding> findings;  // empty if every element is right
  bool unwritten = false;         // no element was written
  Reference reference;            // if there are findings and it was computed; else empty
  std::optional<ResultMap> map;   // if an element is not right; without tiles
};

/// Compares output `name` with `reference`. Element i is right if |got - value[i]| <= bound[i], so
/// a NaN never is. The findings are output-not-written (still poison), not-finite and wrong-result,
/// each with the number of elements, where they are, and the first of them.
Comparison compare_output(const std::string& name, const HostMatrix& got,
                          const Reference& reference);

/// The finding input-modified, if the bits of an element of input `name` changed.
std::optional<Finding> find_modified(const std::string& name, const HostMatrix& before,
                                     const HostMatrix& after);

/// The finding out-of-bounds, if the padding between the rows of output `name` is no longer poison.
/// What follows the last row is not part of the matrix.
std::optional<Finding> find_padding_write(const std::string& name, const HostMatrix& output);

/// "C[3][5]", or "result[5]" for a vector.
ArrayElement element_name(const std::string& name, const HostMatrix& matrix, int row, int column);

}  // namespace tessera
