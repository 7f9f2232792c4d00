// Numbers as formats with fewer bits hold them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tessera {

/// A binary floating-point format: significant bits, with the hidden one, and the exponent of the
/// smallest normal number.
struct FloatFormat {
  int digits = 24;
  int least_exponent = -126;
};

inline constexpr FloatFormat kHalf{11, -14};
inline constexpr FloatFormat kBfloat16{8, -126};
inline constexpr FloatFormat kTf32{11, -126};
inline constexpr FloatFormat kFloat{24, -126};

/// `nearest_even` and `nearest_away` differ halfway between two numbers of the format.
enum class Rounding : std::uint8_t { nearest_even, zero, down, up, nearest_away };

/// `value` as a number of the format, which has no largest one here. (Matrices are rounded element
/// by element; std::ilogb and std::ldexp would take most of that time.)
inline double round_to(double value, const FloatFormat& format,
                       Rounding rounding = Rounding::nearest_even) {
  if (value == 0 || !std::isfinite(value)) return value;
  constexpr int kFraction = 52;  // of a double's bits
  constexpr int kBias = 1023;
  const auto power = [](int exponent) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kBias) << kFraction);
  };
  const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> kFraction & 0x7ff);
  const int exponent = std::max(field - kBias, format.least_exponent) - (format.digits - 1);
  const double steps = value * power(-exponent);  // from one number of the format to the next
  const double whole = rounding == Rounding::nearest_even   ? std::nearbyint(steps)
                       : rounding == Rounding::nearest_away ? std::round(steps)
                       : rounding == Rounding::zero         ? std::trunc(steps)
                       : rounding == Rounding::down         ? std::floor(steps)
                                                            : std::ceil(steps);
  return whole * power(exponent);
}

}  // namespace tessera
