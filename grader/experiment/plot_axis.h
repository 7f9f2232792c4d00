// The labels of a plot's vertical axis: short, and each a different number.
#pragma once

#include <string>
#include <vector>

namespace tessera {

/// The unit by which values are divided so that their labels are short.
struct AxisUnit {
  double size = 1;
  std::string word;  // "", "thousands", "millions", "billions"
};

/// The unit of a linear axis that ends at `most`; if `most` is below 20,000, no value is divided.
AxisUnit axis_unit(double most);

struct AxisTick {
  double at = 0;
  std::string label;  // "0.02", "500", "20 k", "5 M"
};

/// The ticks of a logarithmic axis, ascending; the first is at or below `low`, the last at or above
/// `high`, and there are at least two. They are powers of ten, on a short axis also twice and five
/// times those. 0 < low <= high.
std::vector<AxisTick> logarithmic_ticks(double low, double high);

}  // namespace tessera
