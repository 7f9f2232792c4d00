// Elementary functions in double precision, in C++ with compiler builtins: the device header gives
// them their CUDA names, and the tests compile this file for the host.
//
// Errors in units in the last place (ulp), as measured against the host's long double library:
// exp, exp2, exp10, expm1, log, log2, log10, log1p, pow, cbrt, rsqrt, asin, acos, tanh: below 1;
// sin, cos, tan, atan, atan2, sinh, cosh, hypot, erf: below 2; asinh, acosh, atanh: below 3; erfc:
// below 5.
//
// A Pair is an unevaluated sum high + low, |low| at most half an ulp of high. A product that is
// later compensated goes through product(), because the compiler may fuse a * b + c.
// Polynomials are Chebyshev interpolations, highest coefficient first.
#pragma once
#ifdef __CUDA_ARCH__
#pragma clang system_header
#endif

#ifndef __TESSERA_FN
#error "define __TESSERA_FN, what precedes a function"
#endif

namespace tessera_math {

using u64 = unsigned long long;
__extension__ typedef unsigned __int128 u128;

constexpr double kInfinity = __builtin_inf();
constexpr double kNan = __builtin_nan("");

__TESSERA_FN u64 bits_of(double x) {
  return __builtin_bit_cast(u64, x);
}
__TESSERA_FN double from_bits(u64 x) {
  return __builtin_bit_cast(double, x);
}
__TESSERA_FN double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
__TESSERA_FN double magnitude(double x) {
  return __builtin_fabs(x);
}
__TESSERA_FN double with_sign(double x, double sign) {
  return __builtin_copysign(x, sign);
}

__TESSERA_FN double product(double x, double y) {
#ifdef __CUDA_ARCH__
  double result;
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(result) : "d"(x), "d"(y));
  return result;
#else
  return x * y;
#endif
}

__TESSERA_FN double root(double x) {
#ifdef __CUDA_ARCH__
  return __nvvm_sqrt_rn_d(x);
#else
  return __builtin_sqrt(x);
#endif
}

template <class... Rest>
__TESSERA_FN double polynomial(double x, double first, Rest... rest) {
  double value = first;
  ((value = fma(value, x, rest)), ...);
  return value;
}

/// 2^k for k in [-1022, 1023].
__TESSERA_FN double power_of_two(int k) {
  return from_bits(static_cast<u64>(k + 1023) << 52);
}

struct Pair {
  double high;
  double low;
};

__TESSERA_FN Pair sum(double x, double y) {
  const double high = x + y;
  const double part = high - x;
  return {high, (x - (high - part)) + (y - part)};
}

/// sum(x, y) where |x| >= |y| or x is 0.
__TESSERA_FN Pair ordered_sum(double x, double y) {
  const double high = x + y;
  return {high, y - (high - x)};
}

__TESSERA_FN Pair square(double x) {
  const double high = product(x, x);
  return {high, fma(x, x, -high)};
}

__TESSERA_FN Pair times(Pair x, Pair y) {
  const double high = product(x.high, y.high);
  return {high, fma(x.high, y.high, -high) + fma(x.high, y.low, x.low * y.high)};
}

constexpr Pair kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair kInverseLn2{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Pair kLn10{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
constexpr Pair kInverseLn10{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
constexpr Pair kHalfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr Pair kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Pair kQuarterPi{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
// ln 2 cut after 33 bits: times a whole number below 2^20 it is exact.
constexpr double kLn2Start = 0x1.62e42fefp-1;
constexpr double kLn2Rest = 0x1.473de6af278edp-34;

// --- Exponential -----------------------------------------------------------------------------

/// x = k ln 2 + r, e^r - 1 = low-order part + r.
struct Exponent {
  double k;
  double r;
  double rest;
};

__TESSERA_FN Exponent split_exponent(double high, double low) {
  const double k = __builtin_rint(high * kInverseLn2.high);
  const Pair r = sum(fma(-k, kLn2Start, high), fma(-k, kLn2Rest, low));
  const double tail =
      polynomial(r.high, 2.09154422977801152e-9, 2.51062747335732947e-8, 2.75572718102197996e-7,
                 2.75572528335169097e-6, 2.48015873270071867e-5, 1.98412698768643549e-4,
                 1.38888888888833267e-3, 8.3333333333255447e-3, 4.16666666666666701e-2,
                 0.166666666666666714, 0.5);
  return {k, r.high, fma(product(r.high, r.high), tail, r.low)};
}

/// 2^shift e^(high + low). Beyond the range of double it overflows or underflows as it should.
__TESSERA_FN double exp_of(double high, double low, int shift = 0) {
  if (high > 720.0) high = 720.0, low = 0.0;
  if (high < -760.0) high = -760.0, low = 0.0;
  const Exponent e = split_exponent(high, low);
  const int k = static_cast<int>(e.k) + shift;
  const int half = k / 2;
  return (1.0 + (e.r + e.rest)) * power_of_two(half) * power_of_two(k - half);
}

__TESSERA_FN double exp(double x) {
  return x != x ? x : exp_of(x, 0.0);
}

__TESSERA_FN double exp_in_base(double x, Pair ln) {
  if (!(magnitude(x) < 1e4)) return x != x ? x : (x > 0.0 ? kInfinity : 0.0);
  const double high = product(x, ln.high);
  return exp_of(high, fma(x, ln.high, -high) + x * ln.low);
}
__TESSERA_FN double exp2(double x) {
  return exp_in_base(x, kLn2);
}
__TESSERA_FN double exp10(double x) {
  return exp_in_base(x, kLn10);
}

/// e^x - 1 for |x| < 700.
__TESSERA_FN Pair expm1_of(double x) {
  const Exponent e = split_exponent(x, 0.0);
  const Pair near = ordered_sum(e.r, e.rest);
  if (e.k == 0.0) return near;
  const double scale = power_of_two(static_cast<int>(e.k < -100.0 ? -100.0 : e.k));
  const Pair whole = sum(scale, -1.0);
  const Pair result = sum(whole.high, product(near.high, scale));
  return ordered_sum(result.high, result.low + (whole.low + near.low * scale));
}

__TESSERA_FN double expm1(double x) {
  if (!(magnitude(x) < 100.0)) return x < 0.0 ? -1.0 : exp(x);
  if (magnitude(x) < 0x1p-60) return x;
  return expm1_of(x).high;
}

// --- Logarithm -------------------------------------------------------------------------------

/// x = 2^k m, m in [sqrt(1/2), sqrt(2)), for finite x > 0.
struct Scaled {
  double m;
  int k;
};

__TESSERA_FN Scaled split_scale(double x) {
  constexpr u64 kRootHalf = 0x3fe6a09e667f3bcdu;
  const bool tiny = x < 0x1p-1022;
  const u64 bits = bits_of(tiny ? x * 0x1p54 : x);
  const int k = static_cast<int>(static_cast<long long>(bits - kRootHalf) >> 52);
  return {from_bits(bits - (static_cast<u64>(static_cast<long long>(k)) << 52)), tiny ? k - 54 : k};
}

/// (log((1 + s) / (1 - s)) - 2 s - 2/3 s^3) / s^5 for z = s^2.
__TESSERA_FN double log_tail(double z) {
  return polynomial(z, 0.117301078618930294, 0.117055718956772093, 0.133348295739065346,
                    0.153845945038098889, 0.181818183396976322, 0.222222222216368439,
                    0.285714285714293974, 0.399999999999999998);
}

/// log x with a relative error below 2^-62, for finite x > 0.
__TESSERA_FN Pair log_of(double x) {
  const Scaled scaled = split_scale(x);
  const double numerator = scaled.m - 1.0;
  const Pair denominator = ordered_sum(1.0, scaled.m);
  const double s = numerator / denominator.high;
  const double s_low =
      (fma(-s, denominator.high, numerator) - s * denominator.low) / denominator.high;
  const Pair whole{s, s_low};
  const Pair z = times(whole, whole);
  const Pair cube = times(z, whole);
  const Pair cubic = times(cube, {0x1.5555555555555p-1, 0x1.5555555555555p-55});
  Pair near = ordered_sum(2.0 * s, cubic.high);
  near.low += fma(cube.high * z.high, log_tail(z.high), fma(2.0, s_low, cubic.low));
  near = ordered_sum(near.high, near.low);
  const double k = scaled.k;
  const Pair result = sum(k * kLn2Start, near.high);
  return ordered_sum(result.high, result.low + fma(k, kLn2Rest, near.low));
}

/// What log gives for the x that log_of does not take, in any base.
__TESSERA_FN double log_of_special(double x) {
  if (x == 0.0) return -kInfinity;
  return x > 0.0 || x != x ? x : kNan;
}
__TESSERA_FN bool has_log(double x) {
  return x > 0.0 && x < kInfinity;
}

__TESSERA_FN double log(double x) {
  return has_log(x) ? log_of(x).high : log_of_special(x);
}
__TESSERA_FN double log2(double x) {
  if (!has_log(x)) return log_of_special(x);
  const Pair result = times(log_of(x), kInverseLn2);
  return result.high + result.low;
}
__TESSERA_FN double log10(double x) {
  if (!has_log(x)) return log_of_special(x);
  const Pair result = times(log_of(x), kInverseLn10);
  return result.high + result.low;
}
__TESSERA_FN double log1p(double x) {
  const Pair u = sum(1.0, x);
  if (!has_log(u.high)) return log_of_special(u.high);
  if (magnitude(x) < 0x1p-54) return x;
  const Pair result = log_of(u.high);
  return result.high + (result.low + u.low / u.high);
}

// --- Powers and roots ------------------------------------------------------------------------

/// |x|^y for finite x other than 0 and finite y.
__TESSERA_FN double power(double x, double y) {
  const Pair ln = log_of(x);
  const double high = product(y, ln.high);
  if (!(magnitude(high) < 800.0)) return high > 0.0 ? kInfinity : 0.0;
  return exp_of(high, fma(y, ln.high, -high) + y * ln.low);
}

/// Is the finite y a whole number, and is it odd?
__TESSERA_FN bool is_whole(double y) {
  return __builtin_trunc(y) == y;
}
__TESSERA_FN bool is_odd(double y) {
  return is_whole(y) && magnitude(y) < 0x1p53 && __builtin_trunc(0.5 * y) != 0.5 * y;
}

__TESSERA_FN double pow(double x, double y) {
  if (x == 1.0 || y == 0.0) return 1.0;
  if (x != x || y != y) return x + y;
  const double a = magnitude(x);
  if (magnitude(y) == kInfinity) {
    if (a == 1.0) return 1.0;
    return (a > 1.0) == (y > 0.0) ? kInfinity : 0.0;
  }
  const bool negative = __builtin_signbit(x) && is_odd(y);
  if (a == 0.0 || a == kInfinity) {
    const double result = (a == 0.0) == (y > 0.0) ? 0.0 : kInfinity;
    return negative ? -result : result;
  }
  if (x < 0.0 && !is_whole(y)) return kNan;
  const double result = power(a, y);
  return negative ? -result : result;
}

__TESSERA_FN double cbrt(double x) {
  if (x == 0.0 || !(magnitude(x) < kInfinity)) return x;
  const double scale = magnitude(x) > 1.0 ? 0x1p-50 : 0x1p50;
  const double a = magnitude(x) * scale * scale * scale;
  const double start = power(a, 1.0 / 3.0);
  // One step of Newton's method on the residual start^3 - a, which needs twice the precision.
  const Pair cube = times(square(start), {start, 0.0});
  const double residual = (cube.high - a) + cube.low;
  return with_sign((start - residual / (3.0 * start * start)) / scale, x);
}

__TESSERA_FN double hypot(double x, double y) {
  double a = magnitude(x);
  double b = magnitude(y);
  if (a == kInfinity || b == kInfinity) return kInfinity;
  if (a < b) {
    const double swapped = a;
    a = b;
    b = swapped;
  }
  double scale = 1.0;
  if (a > 0x1p500) scale = 0x1p600;
  if (b < 0x1p-450) scale = a > 0x1p500 ? 0x1p600 : 0x1p-600;
  if (scale == 0x1p-600 && a > 0x1p-300) return a + b;
  a /= scale;
  b /= scale;
  const Pair aa = square(a);
  return scale * root(aa.high + fma(b, b, aa.low));
}

__TESSERA_FN double rsqrt(double x) {
  const double start = 1.0 / root(x);
  if (!(x > 0.0 && x < kInfinity)) return start;
  const Pair y = square(start);
  // residual = 1 - x start^2
  const double residual = fma(-x, y.low, fma(-x, y.high, 1.0));
  return fma(0.5 * start, residual, start);
}

// --- Trigonometry ----------------------------------------------------------------------------

/// An angle less `quadrant` quarter turns (modulo 4), in [-pi/4, pi/4].
struct Angle {
  Pair r;
  int quadrant;
};

/// |x| below 2^20 quarter turns: pi/2 in three pieces of 33 bits, each exact times k, and a rest.
__TESSERA_FN Angle reduce_small(double x) {
  const double k = __builtin_rint(x * 0x1.45f306dc9c883p-1);
  const Pair first = sum(fma(-k, 0x1.921fb544p+0, x), product(-k, 0x1.0b4611a6p-34));
  const Pair second = sum(first.high, product(-k, 0x1.3198a2ep-69));
  const double low = (first.low + second.low) - k * 0x1.b839a252049c1p-104;
  return {ordered_sum(second.high, low), static_cast<int>(k) & 3};
}

/// Payne and Hanek's reduction: of x * 2/pi only the bits around the point are worked out.
__TESSERA_FN Angle reduce_large(double x) {
  // The binary digits of 2/pi behind 64 zeros.
  static constexpr u64 kTwoOverPi[] = {0,
                                       0xa2f9836e4e441529u,
                                       0xfc2757d1f534ddc0u,
                                       0xdb6295993c439041u,
                                       0xfe5163abdebbc561u,
                                       0xb7246e3a424dd2e0u,
                                       0x06492eea09d1921cu,
                                       0xfe1deb1cb129a73eu,
                                       0xe88235f52ebb4484u,
                                       0xe99c7026b45f7e41u,
                                       0x3991d639835339f4u,
                                       0x9c845f8bbdf9283bu,
                                       0x1ff897ffde05980fu,
                                       0xef2f118b5a0a6d1fu,
                                       0x6d367ecf27cb09b7u,
                                       0x4f463f669e5fea2du,
                                       0x7527bac7ebe5f17bu,
                                       0x3d0739f78a5292eau,
                                       0x6bfb5fb11f8d5d08u,
                                       0x56033046fc7b6babu,
                                       0xf0cfbc209af4361du};
  const u64 bits = bits_of(magnitude(x));
  const u64 mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  const int exponent = static_cast<int>(bits >> 52) - 1075;
  // Digits whose product with x is a multiple of 4 quarter turns are left out.
  const int skipped = exponent - 2 + 64;
  const int word = skipped / 64;
  const int shift = skipped % 64;
  u64 window[3];
  for (int i = 0; i < 3; ++i) {
    const u64 next = kTwoOverPi[word + i + 1];
    window[i] =
        shift == 0 ? kTwoOverPi[word + i] : kTwoOverPi[word + i] << shift | next >> (64 - shift);
  }
  const u128 low = static_cast<u128>(mantissa) * window[2];
  const u128 middle = static_cast<u128>(mantissa) * window[1] + static_cast<u64>(low >> 64);
  const u64 top = mantissa * window[0] + static_cast<u64>(middle >> 64);
  const u64 next = static_cast<u64>(middle);
  int quadrant = static_cast<int>(top >> 62);
  u128 fraction =
      static_cast<u128>(top << 2 | next >> 62) << 64 | (next << 2 | static_cast<u64>(low) >> 62);
  const bool above_half = static_cast<u64>(fraction >> 127) != 0;
  if (above_half) {
    fraction = -fraction;
    ++quadrant;
  }
  u64 head = static_cast<u64>(fraction >> 64);
  int zeros = 0;
  if (head == 0) {
    head = static_cast<u64>(fraction);
    fraction <<= 64;
    zeros = 64;
  }
  const int more = head == 0 ? 0 : __builtin_clzll(head);
  zeros += more;
  fraction <<= more;
  const double scale = power_of_two(-zeros) * (above_half ? -1.0 : 1.0);
  const double high = static_cast<double>(static_cast<u64>(fraction >> 75)) * 0x1p-53 * scale;
  const double rest = static_cast<double>(static_cast<u64>(fraction >> 11)) * 0x1p-117 * scale;
  const Pair r = times({high, rest}, kHalfPi);
  if (x < 0.0) return {{-r.high, -r.low}, -quadrant & 3};
  return {r, quadrant & 3};
}

__TESSERA_FN Angle reduce(double x) {
  return magnitude(x) < 0x1p20 ? reduce_small(x) : reduce_large(x);
}

__TESSERA_FN double sine(Pair r) {
  const double z = r.high * r.high;
  const double tail =
      polynomial(z, -7.58657658817107246e-13, 1.60585295722678764e-10, -2.50521062195218942e-8,
                 2.75573192193019187e-6, -1.9841269841265017e-4, 8.33333333333333147e-3,
                 -0.166666666666666667);
  return r.high + fma(z * r.high, tail, fma(-0.5 * z, r.low, r.low));
}

__TESSERA_FN double cosine(Pair r) {
  const double z = product(r.high, r.high);
  const double tail =
      polynomial(z, 4.74580488976067417e-14, -1.14704597496756061e-11, 2.08767557838940384e-9,
                 -2.75573192213821156e-7, 2.48015873015846198e-5, -1.38888888888888879e-3,
                 4.16666666666666667e-2);
  const double half = 0.5 * z;
  const double near = 1.0 - half;
  return near + (((1.0 - near) - half) + fma(z * z, tail, -r.high * r.low));
}

__TESSERA_FN double sine_of(Angle angle) {
  const double value = angle.quadrant & 1 ? cosine(angle.r) : sine(angle.r);
  return angle.quadrant & 2 ? -value : value;
}
__TESSERA_FN double cosine_of(Angle angle) {
  return sine_of({angle.r, (angle.quadrant + 1) & 3});
}

__TESSERA_FN double sin(double x) {
  if (!(magnitude(x) < kInfinity)) return kNan;
  if (magnitude(x) < 0x1p-27) return x;
  return sine_of(reduce(x));
}
__TESSERA_FN double cos(double x) {
  return magnitude(x) < kInfinity ? cosine_of(reduce(x)) : kNan;
}
__TESSERA_FN double tan(double x) {
  if (!(magnitude(x) < kInfinity)) return kNan;
  if (magnitude(x) < 0x1p-27) return x;
  const Angle angle = reduce(x);
  const double s = sine(angle.r);
  const double c = cosine(angle.r);
  return angle.quadrant & 1 ? -c / s : s / c;
}

/// atan(y / x) for 0 <= y <= x, 0 < x, both in the middle of double's range.
__TESSERA_FN Pair atan_of(double y, double x) {
  const bool small = y < 0.41421356 * x;
  const Pair denominator = small ? Pair{x, 0.0} : ordered_sum(x, y);
  const double numerator = small ? y : y - x;
  const double t = numerator / denominator.high;
  const double t_low =
      (fma(-t, denominator.high, numerator) - t * denominator.low) / denominator.high;
  const double z = t * t;
  const double tail = polynomial(
      z, -1.39087034472882246e-2, 3.06262878284758955e-2, -4.1040297505018209e-2,
      4.71929440547383646e-2, -5.25802579200734236e-2, 5.88192362613330066e-2,
      -6.66664190830205141e-2, 7.69230673096179605e-2, -9.09090906686644551e-2,
      0.111111111107523251, -0.142857142857114979, 0.199999999999999915, -0.333333333333333333);
  const Pair base = small ? Pair{0.0, 0.0} : kQuarterPi;
  const Pair result = ordered_sum(base.high, t);
  const double low = fma(t * z, tail, t_low + base.low);
  return ordered_sum(result.high, result.low + low);
}

__TESSERA_FN double atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  double a = magnitude(y);
  double b = magnitude(x);
  const bool steep = a > b;
  if (steep) {
    const double swapped = a;
    a = b;
    b = swapped;
  }
  Pair angle{0.0, 0.0};
  if (b == kInfinity) {
    if (a == kInfinity) angle = kQuarterPi;
  } else if (b != 0.0) {
    const double scale = b > 0x1p900 ? 0x1p-200 : (b < 0x1p-700 ? 0x1p300 : 1.0);
    // A quotient that may be subnormal must be rounded once.
    if (a * scale < 0x1p-960 * (b * scale) || a * scale < 0x1p-960) {
      angle = {a / b, 0.0};
    } else {
      angle = atan_of(a * scale, b * scale);
    }
  }
  if (steep) {
    const Pair turned = ordered_sum(kHalfPi.high, -angle.high);
    angle = {turned.high, turned.low + (kHalfPi.low - angle.low)};
  }
  if (__builtin_signbit(x)) {
    const Pair turned = ordered_sum(kPi.high, -angle.high);
    angle = {turned.high, turned.low + (kPi.low - angle.low)};
  }
  return with_sign(angle.high + angle.low, y);
}
__TESSERA_FN double atan(double x) {
  return atan2(x, 1.0);
}

/// (asin(x) - x) / x for z = x^2 <= 1/4.
__TESSERA_FN double asin_tail(double z) {
  return z * polynomial(z, 2.96120112649551204e-2, -1.92416717467430407e-2, 1.95545133361233789e-2,
                        3.0448799094556774e-3, 9.3195607947674463e-3, 9.62184297010028102e-3,
                        1.15664596121216686e-2, 1.39637800122035696e-2, 1.7352816540325495e-2,
                        2.23721574435072224e-2, 3.038194447553234e-2, 4.46428571425518929e-2,
                        7.50000000000011775e-2, 0.166666666666666666);
}

/// 2 asin(sqrt((1 - a) / 2)) = acos(a) for 1/2 <= a <= 1; NaN above.
__TESSERA_FN Pair acos_of(double a) {
  const double z = 0.5 * (1.0 - a);
  const double s = root(z);
  if (!(s > 0.0)) return {s, 0.0};
  const double s_low = fma(-s, s, z) / (2.0 * s);
  const Pair result = ordered_sum(s, fma(s, asin_tail(z), s_low));
  return {2.0 * result.high, 2.0 * result.low};
}

__TESSERA_FN double asin(double x) {
  const double a = magnitude(x);
  if (a < 0.5) return fma(x, asin_tail(x * x), x);
  const Pair rest = acos_of(a);
  const Pair result = ordered_sum(kHalfPi.high, -rest.high);
  return with_sign(result.high + (result.low + (kHalfPi.low - rest.low)), x);
}
__TESSERA_FN double acos(double x) {
  if (magnitude(x) < 0.5) {
    const Pair result = ordered_sum(kHalfPi.high, -x);
    return result.high + (result.low + fma(-x, asin_tail(x * x), kHalfPi.low));
  }
  const Pair angle = acos_of(magnitude(x));
  if (!(x < 0.0)) return angle.high + angle.low;
  const Pair result = ordered_sum(kPi.high, -angle.high);
  return result.high + (result.low + (kPi.low - angle.low));
}

// --- Hyperbolic functions --------------------------------------------------------------------

__TESSERA_FN double sinh(double x) {
  const double a = magnitude(x);
  if (a < 0x1p-28 || x != x) return x;
  if (a > 22.0) return with_sign(exp_of(a, 0.0, -1), x);
  const Pair e = expm1_of(a);
  return with_sign(0.5 * (e.high + e.high / (e.high + 1.0)), x);
}
__TESSERA_FN double cosh(double x) {
  const double a = magnitude(x);
  if (x != x) return x;
  if (a > 22.0) return exp_of(a, 0.0, -1);
  const double e = exp_of(a, 0.0);
  return 0.5 * (e + 1.0 / e);
}
__TESSERA_FN double tanh(double x) {
  const double a = magnitude(x);
  if (a < 0x1p-28 || x != x) return x;
  if (a > 22.0) return with_sign(1.0, x);
  const Pair e = expm1_of(2.0 * a);
  const Pair denominator = sum(e.high, 2.0);
  const double quotient = e.high / denominator.high;
  const double residual =
      fma(-quotient, denominator.high, e.high) + fma(-quotient, denominator.low + e.low, e.low);
  return with_sign(quotient + residual / denominator.high, x);
}
__TESSERA_FN double asinh(double x) {
  const double a = magnitude(x);
  if (!(a < kInfinity) || a < 0x1p-28) return x;
  if (a > 0x1p28) return with_sign(log(a) + kLn2.high, x);
  return with_sign(log1p(a + a * a / (1.0 + root(fma(a, a, 1.0)))), x);
}
__TESSERA_FN double acosh(double x) {
  if (x < 1.0) return kNan;
  if (!(x < 0x1p28)) return log(x) + kLn2.high;
  const double t = x - 1.0;
  return log1p(t + root(fma(t, t, 2.0 * t)));
}
__TESSERA_FN double atanh(double x) {
  const double a = magnitude(x);
  if (a < 0x1p-28) return x;
  if (a > 1.0) return kNan;
  return with_sign(0.5 * log1p(2.0 * a / (1.0 - a)), x);
}

// --- Error function --------------------------------------------------------------------------

/// (erf(x) - x) / x for z = x^2 <= 1.
__TESSERA_FN double erf_tail(double z) {
  return polynomial(z, -4.23094582429533782e-12, 8.70904512905310669e-11, -1.21645600572834501e-9,
                    1.4792401209404813e-8, -1.63646421581676153e-7, 1.64620454414684189e-6,
                    -1.49256475675193321e-5, 1.20553329028887354e-4, -8.5483270219348296e-4,
                    5.22397762542329831e-3, -2.68661706451298408e-2, 0.112837916709551202,
                    -0.376126389031837524, 0.128379167095512574);
}

/// e^(x^2) erfc(x) for 1 <= x <= 28.
__TESSERA_FN double scaled_erfc(double x) {
  const double u = (x - 2.0) / (x + 2.0);
  return polynomial(u, -3.20691826285326934e-7, 1.82524207738934659e-6, -3.45805562761381012e-6,
                    1.76582241094615004e-6, 3.03107955786374382e-7, 1.65364595368217952e-6,
                    2.88391306622270436e-6, -4.8540791950100295e-6, -1.76048805401873284e-5,
                    -7.71650473146270443e-6, 6.173699343824159e-5, 1.16942961388846142e-4,
                    -1.39990042120290614e-4, -7.06628942514072454e-4, 1.44680965079116891e-4,
                    3.93775530433611448e-3, -5.18276671232449799e-4, -2.52435542937154105e-2,
                    4.25363495088487254e-2, 3.78138983135875931e-2, -0.259974836999852178,
                    0.766187028931517233) /
         (x + 1.0);
}

/// erfc(x) for x >= 1.
__TESSERA_FN double erfc_of(double x) {
  if (x > 28.0) return 0.0;
  const Pair z = square(x);
  return exp_of(-z.high, -z.low) * scaled_erfc(x);
}

__TESSERA_FN double erf(double x) {
  const double a = magnitude(x);
  if (a < 1.0) return fma(x, erf_tail(x * x), x);
  if (x != x) return x;
  return with_sign(1.0 - erfc_of(a), x);
}
__TESSERA_FN double erfc(double x) {
  if (x != x) return x;
  if (x >= 1.0) return erfc_of(x);
  if (x <= -1.0) return 2.0 - erfc_of(-x);
  if (x < 0.5) return 1.0 - fma(x, erf_tail(x * x), x);
  return 0.5 - fma(x, erf_tail(x * x), x - 0.5);
}

}  // namespace tessera_math
