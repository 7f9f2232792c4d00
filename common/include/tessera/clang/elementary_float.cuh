// The float functions that kernels call most, in single precision (exp, log, sin, cos, tanh: below
// 2 ulp, as CUDA's); all other float functions are the double ones, rounded. In nothing but C++,
// like elementary.cuh.
#pragma once
#ifdef __CUDA_ARCH__
#pragma clang system_header
#endif

#include "elementary.cuh"

namespace tessera_math {

__TESSERA_FN float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}

template <class... Rest>
__TESSERA_FN float polynomialf(float x, float first, Rest... rest) {
  float value = first;
  ((value = fmaf(value, x, rest)), ...);
  return value;
}

__TESSERA_FN unsigned int bits_of(float x) {
  return __builtin_bit_cast(unsigned int, x);
}
__TESSERA_FN float float_from_bits(unsigned int x) {
  return __builtin_bit_cast(float, x);
}

/// 2^k for k in [-126, 127].
__TESSERA_FN float power_of_twof(int k) {
  return float_from_bits(static_cast<unsigned int>(k + 127) << 23);
}

__TESSERA_FN float exp(float x) {
  if (x != x) return x;
  x = x > 90.0f ? 90.0f : (x < -105.0f ? -105.0f : x);
  const float k = __builtin_rintf(x * 1.44269504f);
  const float r = fmaf(-k, -1.90465421e-9f, fmaf(-k, 0.693147182f, x));
  const float tail =
      polynomialf(r, 1.39269266e-3f, 8.3637739e-3f, 4.166655e-2f, 0.166665734f, 0.5f);
  const int shift = static_cast<int>(k);
  const int half = shift / 2;
  return (1.0f + fmaf(r * r, tail, r)) * power_of_twof(half) * power_of_twof(shift - half);
}

__TESSERA_FN float log(float x) {
  constexpr unsigned int kTwoThirds = 0x3f2aaaabu;
  if (!(x > 0.0f && x < static_cast<float>(kInfinity))) {
    return static_cast<float>(log_of_special(static_cast<double>(x)));
  }
  const bool tiny = x < 0x1p-126f;
  const unsigned int bits = bits_of(tiny ? x * 0x1p24f : x);
  const int k = static_cast<int>(bits - kTwoThirds) >> 23;
  const float f = float_from_bits(bits - (static_cast<unsigned int>(k) << 23)) - 1.0f;
  const float tail =
      polynomialf(f, 0.113306174f, -0.124222006f, 0.109156548f, -0.122887216f, 0.142918672f,
                  -0.166733163f, 0.199999484f, -0.249999442f, 0.333333333f);
  const float near = fmaf(f * f, fmaf(f, tail, -0.5f), f);
  return fmaf(static_cast<float>(tiny ? k - 24 : k), 0.693147182f, near);
}

struct AngleF {
  float r;
  int quadrant;
};

__TESSERA_FN AngleF reduce(float x) {
  const double wide = static_cast<double>(x);
  if (magnitude(wide) < 0x1p20) {
    const double k = __builtin_rint(wide * 0x1.45f306dc9c883p-1);
    const double r = fma(-k, kHalfPi.low, fma(-k, kHalfPi.high, wide));
    return {static_cast<float>(r), static_cast<int>(k) & 3};
  }
  const Angle angle = reduce_large(wide);
  return {static_cast<float>(angle.r.high), angle.quadrant};
}

__TESSERA_FN float sine_of(AngleF angle) {
  const float r = angle.r;
  const float z = r * r;
  float value;
  if (angle.quadrant & 1) {
    const float tail =
        polynomialf(z, -2.73004486e-7f, 2.48005964e-5f, -1.38888877e-3f, 4.16666667e-2f);
    value = fmaf(z * z, tail, fmaf(-0.5f, z, 1.0f));
  } else {
    const float tail =
        polynomialf(z, 2.72493141e-6f, -1.9840082e-4f, 8.33333187e-3f, -0.166666667f);
    value = fmaf(z * r, tail, r);
  }
  return angle.quadrant & 2 ? -value : value;
}

__TESSERA_FN float sin(float x) {
  if (!(__builtin_fabsf(x) < static_cast<float>(kInfinity))) return static_cast<float>(kNan);
  return x == 0.0f ? x : sine_of(reduce(x));
}
__TESSERA_FN float cos(float x) {
  if (!(__builtin_fabsf(x) < static_cast<float>(kInfinity))) return static_cast<float>(kNan);
  const AngleF angle = reduce(x);
  return sine_of(AngleF{angle.r, (angle.quadrant + 1) & 3});
}

__TESSERA_FN float tanh(float x) {
  const float a = __builtin_fabsf(x);
  if (a < 0.55f) {
    const float z = x * x;
    return fmaf(x * z,
                polynomialf(z, -6.56439545e-3f, 2.12847232e-2f, -5.39053593e-2f, 0.133330928f,
                            -0.333333318f),
                x);
  }
  return __builtin_copysignf(1.0f - 2.0f / (exp(2.0f * a) + 1.0f), x);
}

}  // namespace tessera_math
