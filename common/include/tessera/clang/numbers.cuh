// Functions of doubles whose results are exact: frexp, ldexp, modf, fmod and remainder. Plain C++,
// like elementary.cuh. For float arguments the double result is exact too.
#pragma once
#ifdef __CUDA_ARCH__
#pragma clang system_header
#endif

#include "elementary.cuh"

namespace tessera_math {

constexpr u64 kFraction = 0xfffffffffffffu;
constexpr int kBias = 1023;

__TESSERA_FN int exponent_field(u64 bits) {
  return static_cast<int>(bits >> 52 & 0x7ff);
}

/// x = significand 2^(exponent - 1075), for finite |x| > 0; the significand has 53 bits.
struct Integer {
  u64 significand;
  int exponent;
};

__TESSERA_FN Integer split_integer(double x) {
  const u64 bits = bits_of(x) & ~(u64{1} << 63);
  const int field = exponent_field(bits);
  if (field != 0) return {(bits & kFraction) | u64{1} << 52, field};
  const int shift = __builtin_clzll(bits) - 11;
  return {bits << shift, 1 - shift};
}

/// significand 2^(exponent - 1075) for significand < 2^53; exact if a double can hold it.
__TESSERA_FN double join_integer(u64 significand, int exponent) {
  if (significand == 0) return 0.0;
  const int shift = __builtin_clzll(significand) - 11;
  significand <<= shift;
  exponent -= shift;
  if (exponent > 0) {
    return from_bits((significand & kFraction) | static_cast<u64>(exponent) << 52);
  }
  return from_bits(significand >> (1 - exponent));
}

__TESSERA_FN double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0.0 || !(magnitude(x) < kInfinity)) return x;
  const Integer parts = split_integer(x);
  *exponent = parts.exponent - (kBias - 1);
  const u64 half = (parts.significand & kFraction) | static_cast<u64>(kBias - 1) << 52;
  return with_sign(from_bits(half), x);
}

__TESSERA_FN double ldexp(double x, int n) {
  // Two steps at most on either side; the small step keeps 53 bits clear of the subnormals, so that
  // only the last product rounds.
  for (int i = 0; i < 2 && n > kBias; ++i) x *= 0x1p1023, n -= kBias;
  for (int i = 0; i < 2 && n < 1 - kBias; ++i) x *= 0x1p-969, n += 969;
  if (n > kBias) n = kBias;
  if (n < 1 - kBias) n = 1 - kBias;
  return x * power_of_two(n);
}

__TESSERA_FN double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return with_sign(magnitude(x) < kInfinity ? x - *whole : (x != x ? x : 0.0), x);
}

/// |x| modulo |y|, by long division; x and y finite, y not 0.
struct Division {
  double remainder;
  bool odd_quotient;
};

__TESSERA_FN Division divide(double x, double y) {
  if (magnitude(x) < magnitude(y)) return {magnitude(x), false};
  Integer a = split_integer(x);
  const Integer b = split_integer(y);
  for (;; --a.exponent) {
    const bool odd = a.significand >= b.significand;
    if (odd) a.significand -= b.significand;
    if (a.exponent == b.exponent) return {join_integer(a.significand, b.exponent), odd};
    a.significand <<= 1;
  }
}

__TESSERA_FN bool can_divide(double x, double y) {
  return magnitude(x) < kInfinity && y == y && y != 0.0;
}

__TESSERA_FN double fmod(double x, double y) {
  if (!can_divide(x, y)) return x != x || y != y ? x + y : kNan;
  if (x == 0.0 || magnitude(y) == kInfinity) return x;
  return with_sign(divide(x, y).remainder, x);
}

__TESSERA_FN double remainder(double x, double y) {
  if (!can_divide(x, y)) return x != x || y != y ? x + y : kNan;
  if (x == 0.0 || magnitude(y) == kInfinity) return x;
  const Division division = divide(x, y);
  const double b = magnitude(y);
  // Exact if the remainder is at least b / 2. Otherwise it may round, but not to less than b / 2,
  // so the comparisons hold.
  const double rest = b - division.remainder;
  const bool above =
      division.remainder > rest || (division.remainder == rest && division.odd_quotient);
  const double result = above ? division.remainder - b : division.remainder;
  return result == 0.0 ? with_sign(0.0, x) : __builtin_signbit(x) ? -result : result;
}

}  // namespace tessera_math
