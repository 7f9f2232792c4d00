// Numbers of 16 bits: IEEE half (5 exponent bits, 10 of significand) and bfloat16 (8 and 7).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "common/rounding.h"

namespace tessera {

struct HalfFormat {
  static constexpr int kExponentBits = 5;
  static constexpr int kFractionBits = 10;
  static constexpr std::uint16_t kNan = 0x7fff;
  static constexpr FloatFormat kFormat = kHalf;
};
struct Bfloat16Format {
  static constexpr int kExponentBits = 8;
  static constexpr int kFractionBits = 7;
  static constexpr std::uint16_t kNan = 0x7fff;
  static constexpr FloatFormat kFormat = kBfloat16;
};

/// The NaN of 32 bits that a card makes, also of each NaN of 16 bits.
inline const float kCanonicalNan = std::bit_cast<float>(0x7fffffffu);

template <class Format>
float widen(std::uint16_t bits) {
  constexpr int kMissing = 23 - Format::kFractionBits;  // of a float's fraction
  constexpr std::uint32_t kInfinity = ((1u << Format::kExponentBits) - 1) << Format::kFractionBits;
  // Exponent and fraction in their places make a float that is too small by the difference of the
  // biases, also if the number is subnormal.
  constexpr int kBias = 1 - Format::kFormat.least_exponent;
  constexpr float kScale = std::bit_cast<float>(static_cast<std::uint32_t>(2 * 127 - kBias) << 23);
  const std::uint32_t size = bits & 0x7fffu;
  const float finite = std::bit_cast<float>(size << kMissing) * kScale;
  const std::uint32_t magnitude =
      size >= kInfinity ? 0x7f800000u : std::bit_cast<std::uint32_t>(finite);
  const float value = std::bit_cast<float>(magnitude | (bits & 0x8000u) << 16);
  return size > kInfinity ? kCanonicalNan : value;
}

/// `value` rounded once to the 16-bit format. A double holds every float, and every product of two
/// halves, exactly.
template <class Format>
std::uint16_t narrow(double value, Rounding rounding = Rounding::nearest_even) {
  constexpr int kFraction = Format::kFractionBits;
  constexpr int kLeast = Format::kFormat.least_exponent;
  if (value != value) return Format::kNan;
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const auto magnitude = std::bit_cast<std::uint64_t>(
      std::fabs(round_to(value, Format::kFormat, rounding)));  // the bits of a double
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > 1 - kLeast) {
    const bool to_infinity = std::isinf(value) || rounding == Rounding::nearest_even ||
                             rounding == (sign != 0 ? Rounding::down : Rounding::up);
    constexpr auto kInfinity = ((1u << Format::kExponentBits) - 1) << kFraction;
    return static_cast<std::uint16_t>(sign | (to_infinity ? kInfinity : kInfinity - 1));
  }
  if (exponent < kLeast) {  // subnormal, or zero
    constexpr double kSteps =
        1 / std::bit_cast<double>(static_cast<std::uint64_t>(kLeast - kFraction + 1023) << 52);
    return static_cast<std::uint16_t>(
        sign | static_cast<std::uint32_t>(std::bit_cast<double>(magnitude) * kSteps));
  }
  const auto fraction =
      static_cast<std::uint32_t>(magnitude >> (52 - kFraction)) & ((1u << kFraction) - 1);
  const auto field = static_cast<std::uint32_t>(exponent - kLeast + 1);
  return static_cast<std::uint16_t>(sign | field << kFraction | fraction);
}

template <class Format>
std::uint16_t narrow(float value) {
  if constexpr (Format::kExponentBits == Bfloat16Format::kExponentBits) {
    // Half of the fraction's next step carries, except from an even number.
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return static_cast<std::uint16_t>(value != value ? Format::kNan : rounded);
  } else {
    return narrow<Format>(static_cast<double>(value), Rounding::nearest_even);
  }
}

}  // namespace tessera
