#include "common/rounding.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

/// The distance between neighbours of `value` in the format.
double spacing(double value, const FloatFormat& format) {
  return std::ldexp(1.0, std::max(std::ilogb(value), format.least_exponent) - (format.digits - 1));
}

bool has_no_spacing(double value) {
  return value == 0 || !std::isfinite(value);
}

}  // namespace

double round_to(double value, const FloatFormat& format) {
  if (has_no_spacing(value)) return value;
  const double step = spacing(value, format);
  return std::nearbyint(value / step) * step;
}

double cut_to(double value, const FloatFormat& format) {
  if (has_no_spacing(value)) return value;
  const double step = spacing(value, format);
  return std::trunc(value / step) * step;
}

}  // namespace tessera
