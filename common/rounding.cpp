#include "common/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tessera {
namespace {

constexpr int kFraction = 52;  // of a double's bits
constexpr int kBias = 1023;

/// The distance between neighbours of `value` in the format. (Matrices of 16-bit numbers are
/// rounded element by element; std::ilogb and std::ldexp would take most of that time.)
double spacing(double value, const FloatFormat& format) {
  const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> kFraction & 0x7ff);
  const int exponent = std::max(field - kBias, format.least_exponent) - (format.digits - 1);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kBias) << kFraction);
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
