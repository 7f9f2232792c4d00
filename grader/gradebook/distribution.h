// How the points of a class are spread.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tessera {

struct Distribution {
  std::size_t count = 0;
  double mean = 0;
  double least = 0;
  double lower_quartile = 0;  // quartiles and median: linear between the two nearest values
  double median = 0;
  double upper_quartile = 0;
  double most = 0;
};

/// The distribution of `values`, or nothing if there are none.
std::optional<Distribution> distribution_of(std::vector<double> values);

/// How many values lie in each of `bins` equal parts of 0 to `full` (above 0). A value on a border
/// counts in the part above it, except `full`; a value outside counts in the nearest part.
std::vector<int> histogram(const std::vector<double>& values, double full, int bins);

}  // namespace tessera
