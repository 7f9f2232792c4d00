// Floating point as the hardware does it: canonical NaN, flushed subnormals, saturation.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "common/sixteen_bits.h"

namespace tessera::sim {

inline float canonical(float value) {
  // 32-bit results that are NaN are this NaN; 64-bit ones keep their payload.
  return value != value ? kCanonicalNan : value;
}
inline double canonical(double value) {
  return value;
}

inline float flush(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : value;
}
inline double flush(double value) {
  return value;
}

/// Clamps to [0, 1]; NaN becomes +0.
template <class T>
T saturate01(T value) {
  if (!(value > T{0})) return T{0};
  return value > T{1} ? T{1} : value;
}

/// The smaller one, or the one that is a number; -0 is less than +0.
template <class T>
T number_min(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <class T>
T number_max(T a, T b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

}  // namespace tessera::sim
