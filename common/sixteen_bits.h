// Numbers of 16 bits: IEEE half (5 exponent bits, 10 of significand) and bfloat16 (8 and 7).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera {

enum class Rounding : std::uint8_t { nearest_even, zero, down, up };

struct HalfFormat {
  static constexpr int kExponentBits = 5;
  static constexpr int kFractionBits = 10;
  static constexpr std::uint16_t kNan = 0x7fff;
};
struct Bfloat16Format {
  static constexpr int kExponentBits = 8;
  static constexpr int kFractionBits = 7;
  static constexpr std::uint16_t kNan = 0x7fff;
};

/// The NaN of 32 bits that a card makes, also of each NaN of 16 bits.
inline const float kCanonicalNan = std::bit_cast<float>(0x7fffffffu);

template <class Format>
float widen(std::uint16_t bits) {
  constexpr int kFraction = Format::kFractionBits;
  constexpr int kBias = (1 << (Format::kExponentBits - 1)) - 1;
  const int exponent = (bits >> kFraction) & ((1 << Format::kExponentBits) - 1);
  const int fraction = bits & ((1 << kFraction) - 1);
  double value = 0;
  if (exponent == (1 << Format::kExponentBits) - 1) {
    value = fraction ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(fraction, 1 - kBias - kFraction);
  } else {
    value = std::ldexp(fraction + (1 << kFraction), exponent - kBias - kFraction);
  }
  if (value != value) return kCanonicalNan;
  return static_cast<float>(bits & 0x8000 ? -value : value);
}

/// `value` rounded once to the 16-bit format. A double holds every float, and every product of two
/// halves, exactly.
template <class Format>
std::uint16_t narrow(double value, Rounding rounding = Rounding::nearest_even) {
  constexpr int kFraction = Format::kFractionBits;
  constexpr int kBias = (1 << (Format::kExponentBits - 1)) - 1;
  constexpr int kMaxExponent = (1 << Format::kExponentBits) - 1;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (value != value) return Format::kNan;
  const double magnitude = std::fabs(value);
  const std::uint16_t infinity = static_cast<std::uint16_t>(kMaxExponent << kFraction);
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude in [2^(exponent-1), 2^exponent)
  const int lowest = 1 - kBias;
  const int scale = std::max(exponent - 1, lowest) - kFraction;  // exponent of the last kept bit
  const double scaled = std::ldexp(magnitude, -scale);
  double kept = std::floor(scaled);
  const double rest = scaled - kept;
  const bool odd = std::fmod(kept, 2.0) != 0;
  const bool away = rounding == Rounding::nearest_even ? rest > 0.5 || (rest == 0.5 && odd)
                    : rounding == Rounding::up         ? rest > 0 && !sign
                    : rounding == Rounding::down       ? rest > 0 && sign
                                                       : false;
  if (away) kept += 1;
  const double limit = std::ldexp(2.0 - std::ldexp(1.0, -kFraction), kBias);
  const double result = std::ldexp(kept, scale);
  if (result > limit) {
    const bool to_infinity = rounding == Rounding::nearest_even ||
                             (rounding == Rounding::up && !sign) ||
                             (rounding == Rounding::down && sign);
    return static_cast<std::uint16_t>(sign | (to_infinity ? infinity : infinity - 1));
  }
  // Adding the integer significand to the exponent field carries into it where rounding reached the
  // next power of two.
  const int field = std::max(exponent - 1, lowest) + kBias - 1;
  const auto bits =
      static_cast<std::uint32_t>(field << kFraction) + static_cast<std::uint32_t>(kept);
  return static_cast<std::uint16_t>(sign | (magnitude == 0 ? 0 : bits));
}

}  // namespace tessera
