// The CUDA names of the mathematical functions: sinf(float), sin(double), sin(float), ...
#pragma once
#pragma clang system_header

#include "elementary.cuh"
#include "elementary_float.cuh"
#include "intrinsics.cuh"
#include "numbers.cuh"

// Defines a function in double, and in float both under C's name (sinf) and as an overload (sin).
#define __TESSERA_NAMES(name, in_double, in_float) \
  __TESSERA_FN double name(double x) {             \
    return in_double;                              \
  }                                                \
  __TESSERA_FN float name##f(float x) {            \
    return in_float;                               \
  }                                                \
  __TESSERA_FN float name(float x) {               \
    return in_float;                               \
  }
#define __TESSERA_ROUNDED_MATH(name) \
  __TESSERA_NAMES(name, tessera_math::name(x), static_cast<float>(tessera_math::name(double(x))))
#define __TESSERA_FLOAT_MATH(name) \
  __TESSERA_NAMES(name, tessera_math::name(x), tessera_math::name(x))
#define __TESSERA_BUILTIN_MATH(name) \
  __TESSERA_NAMES(name, __builtin_##name(x), __builtin_##name##f(x))

__TESSERA_FLOAT_MATH(exp)
__TESSERA_FLOAT_MATH(log)
__TESSERA_FLOAT_MATH(sin)
__TESSERA_FLOAT_MATH(cos)
__TESSERA_FLOAT_MATH(tanh)
__TESSERA_ROUNDED_MATH(exp2)
__TESSERA_ROUNDED_MATH(exp10)
__TESSERA_ROUNDED_MATH(expm1)
__TESSERA_ROUNDED_MATH(log2)
__TESSERA_ROUNDED_MATH(log10)
__TESSERA_ROUNDED_MATH(log1p)
__TESSERA_ROUNDED_MATH(tan)
__TESSERA_ROUNDED_MATH(asin)
__TESSERA_ROUNDED_MATH(acos)
__TESSERA_ROUNDED_MATH(atan)
__TESSERA_ROUNDED_MATH(sinh)
__TESSERA_ROUNDED_MATH(cosh)
__TESSERA_ROUNDED_MATH(asinh)
__TESSERA_ROUNDED_MATH(acosh)
__TESSERA_ROUNDED_MATH(atanh)
__TESSERA_ROUNDED_MATH(cbrt)
__TESSERA_ROUNDED_MATH(erf)
__TESSERA_ROUNDED_MATH(erfc)
__TESSERA_NAMES(rsqrt, tessera_math::rsqrt(x), __tessera_rsqrt(x))
__TESSERA_NAMES(sqrt, __dsqrt_rn(x), __fsqrt_rn(x))
__TESSERA_BUILTIN_MATH(fabs)
__TESSERA_BUILTIN_MATH(floor)
__TESSERA_BUILTIN_MATH(ceil)
__TESSERA_BUILTIN_MATH(trunc)
__TESSERA_BUILTIN_MATH(rint)
__TESSERA_BUILTIN_MATH(round)
__TESSERA_NAMES(nearbyint, __builtin_rint(x), __builtin_rintf(x))
#undef __TESSERA_BUILTIN_MATH
#undef __TESSERA_FLOAT_MATH
#undef __TESSERA_ROUNDED_MATH
#undef __TESSERA_NAMES

#define __TESSERA_NAMES(name, in_double, in_float) \
  __TESSERA_FN double name(double x, double y) {   \
    return in_double;                              \
  }                                                \
  __TESSERA_FN float name##f(float x, float y) {   \
    return in_float;                               \
  }                                                \
  __TESSERA_FN float name(float x, float y) {      \
    return in_float;                               \
  }
#define __TESSERA_ROUNDED_MATH(name)              \
  __TESSERA_NAMES(name, tessera_math::name(x, y), \
                  static_cast<float>(tessera_math::name(double(x), double(y))))
__TESSERA_ROUNDED_MATH(pow)
__TESSERA_ROUNDED_MATH(atan2)
__TESSERA_ROUNDED_MATH(hypot)
__TESSERA_ROUNDED_MATH(fmod)
__TESSERA_ROUNDED_MATH(remainder)
__TESSERA_NAMES(fmin, __builtin_fmin(x, y), __builtin_fminf(x, y))
__TESSERA_NAMES(fmax, __builtin_fmax(x, y), __builtin_fmaxf(x, y))
__TESSERA_NAMES(fdim, x <= y ? 0.0 : x - y, x <= y ? 0.0f : x - y)
__TESSERA_NAMES(copysign, __builtin_copysign(x, y), __builtin_copysignf(x, y))
#undef __TESSERA_ROUNDED_MATH
#undef __TESSERA_NAMES

// As in nvcc: an int exponent keeps the base's type; two different types are computed in double.
__TESSERA_FN float pow(float x, int y) {
  return pow(x, static_cast<float>(y));
}
__TESSERA_FN double pow(double x, int y) {
  return pow(x, static_cast<double>(y));
}
template <class X, class Y, class = decltype(double(X()) * double(Y()))>
__TESSERA_FN double pow(X x, Y y) {
  return pow(static_cast<double>(x), static_cast<double>(y));
}
__TESSERA_FN double copysign(float x, double y) {
  return __builtin_copysign(static_cast<double>(x), y);
}
__TESSERA_FN double copysign(double x, float y) {
  return __builtin_copysign(x, static_cast<double>(y));
}

__TESSERA_FN float fdividef(float x, float y) {
  return x / y;
}
__TESSERA_FN double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
__TESSERA_FN float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
__TESSERA_FN float fma(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}

// Functions with another argument or result type.
#define __TESSERA_NAMES(T, f)                             \
  __TESSERA_FN void sincos##f(T x, T* sine, T* cosine) {  \
    *sine = sin(x), *cosine = cos(x);                     \
  }                                                       \
  __TESSERA_FN T frexp##f(T x, int* exponent) {           \
    return T(tessera_math::frexp(x, exponent));           \
  }                                                       \
  __TESSERA_FN T ldexp##f(T x, int n) {                   \
    return T(tessera_math::ldexp(x, n));                  \
  }                                                       \
  __TESSERA_FN T scalbn##f(T x, int n) {                  \
    return T(tessera_math::ldexp(x, n));                  \
  }                                                       \
  __TESSERA_FN T modf##f(T x, T* whole) {                 \
    double part;                                          \
    const double fraction = tessera_math::modf(x, &part); \
    *whole = T(part);                                     \
    return T(fraction);                                   \
  }                                                       \
  __TESSERA_FN long lrint##f(T x) {                       \
    return __double2ll_rn(x);                             \
  }                                                       \
  __TESSERA_FN long long llrint##f(T x) {                 \
    return __double2ll_rn(x);                             \
  }                                                       \
  __TESSERA_FN long lround##f(T x) {                      \
    return __double2ll_rz(round(x));                      \
  }                                                       \
  __TESSERA_FN long long llround##f(T x) {                \
    return __double2ll_rz(round(x));                      \
  }                                                       \
  __TESSERA_FN T nan##f(const char*) {                    \
    return T(tessera_math::kNan);                         \
  }
__TESSERA_NAMES(double, )
__TESSERA_NAMES(float, f)
#undef __TESSERA_NAMES
__TESSERA_FN float frexp(float x, int* exponent) {
  return frexpf(x, exponent);
}
__TESSERA_FN float ldexp(float x, int n) {
  return ldexpf(x, n);
}
__TESSERA_FN float scalbn(float x, int n) {
  return scalbnf(x, n);
}
__TESSERA_FN float modf(float x, float* whole) {
  return modff(x, whole);
}
__TESSERA_FN void sincos(float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
__TESSERA_FN long lrint(float x) {
  return lrintf(x);
}
__TESSERA_FN long long llrint(float x) {
  return llrintf(x);
}
__TESSERA_FN long lround(float x) {
  return lroundf(x);
}
__TESSERA_FN long long llround(float x) {
  return llroundf(x);
}

__TESSERA_HD bool isnan(float x) {
  return __builtin_isnan(x);
}
__TESSERA_HD bool isnan(double x) {
  return __builtin_isnan(x);
}
__TESSERA_HD bool isinf(float x) {
  return __builtin_isinf(x);
}
__TESSERA_HD bool isinf(double x) {
  return __builtin_isinf(x);
}
__TESSERA_HD bool isfinite(float x) {
  return __builtin_isfinite(x);
}
__TESSERA_HD bool isfinite(double x) {
  return __builtin_isfinite(x);
}
__TESSERA_HD bool signbit(float x) {
  return __builtin_signbitf(x);
}
__TESSERA_HD bool signbit(double x) {
  return __builtin_signbit(x);
}

__TESSERA_HD int abs(int x) {
  return x < 0 ? -x : x;
}
__TESSERA_HD long abs(long x) {
  return x < 0 ? -x : x;
}
__TESSERA_HD long long abs(long long x) {
  return x < 0 ? -x : x;
}
__TESSERA_HD float abs(float x) {
  return __builtin_fabsf(x);
}
__TESSERA_HD double abs(double x) {
  return __builtin_fabs(x);
}
__TESSERA_HD long labs(long x) {
  return x < 0 ? -x : x;
}
__TESSERA_HD long long llabs(long long x) {
  return x < 0 ? -x : x;
}

// A signed and an unsigned argument of the same width are compared as unsigned.
#define __TESSERA_MIN_MAX(X, Y, R)                        \
  __TESSERA_HD R min(X x, Y y) {                          \
    return static_cast<R>(x) < static_cast<R>(y) ? x : y; \
  }                                                       \
  __TESSERA_HD R max(X x, Y y) {                          \
    return static_cast<R>(x) > static_cast<R>(y) ? x : y; \
  }
#define __TESSERA_MIN_MAX_INTEGER(T)                    \
  __TESSERA_MIN_MAX(T, T, T)                            \
  __TESSERA_MIN_MAX(unsigned T, unsigned T, unsigned T) \
  __TESSERA_MIN_MAX(T, unsigned T, unsigned T)          \
  __TESSERA_MIN_MAX(unsigned T, T, unsigned T)
__TESSERA_MIN_MAX_INTEGER(int)
__TESSERA_MIN_MAX_INTEGER(long)
__TESSERA_MIN_MAX_INTEGER(long long)
#undef __TESSERA_MIN_MAX_INTEGER
#undef __TESSERA_MIN_MAX
#define __TESSERA_MIN_MAX(X, Y, R, fmin, fmax) \
  __TESSERA_HD R min(X x, Y y) {               \
    return fmin(x, y);                         \
  }                                            \
  __TESSERA_HD R max(X x, Y y) {               \
    return fmax(x, y);                         \
  }
__TESSERA_MIN_MAX(float, float, float, __builtin_fminf, __builtin_fmaxf)
__TESSERA_MIN_MAX(double, double, double, __builtin_fmin, __builtin_fmax)
__TESSERA_MIN_MAX(float, double, double, __builtin_fmin, __builtin_fmax)
__TESSERA_MIN_MAX(double, float, double, __builtin_fmin, __builtin_fmax)
#undef __TESSERA_MIN_MAX
__TESSERA_HD unsigned int umin(unsigned int x, unsigned int y) {
  return min(x, y);
}
__TESSERA_HD unsigned int umax(unsigned int x, unsigned int y) {
  return max(x, y);
}
__TESSERA_HD long long llmin(long long x, long long y) {
  return min(x, y);
}
__TESSERA_HD long long llmax(long long x, long long y) {
  return max(x, y);
}
__TESSERA_HD unsigned long long ullmin(unsigned long long x, unsigned long long y) {
  return min(x, y);
}
__TESSERA_HD unsigned long long ullmax(unsigned long long x, unsigned long long y) {
  return max(x, y);
}
