// The device's elementary functions, compiled for the host and compared with long double.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#define __TESSERA_FN [[maybe_unused]] static inline
#include "common/include/tessera/clang/elementary.cuh"
#include "common/include/tessera/clang/elementary_float.cuh"
#include "common/include/tessera/clang/numbers.cuh"

namespace {

namespace device = tessera_math;
using Function = double (*)(double);
using Exact = long double (*)(long double);

constexpr int kSamples = 40000;

/// The distance of `got` from `want` in units of the last place of the double nearest to `want`.
double ulps(double got, long double want) {
  const double nearest = static_cast<double>(want);
  if (std::isnan(nearest)) return std::isnan(got) ? 0.0 : HUGE_VAL;
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0.0 : HUGE_VAL;
  const double next = std::nextafter(std::fabs(nearest), HUGE_VAL);
  const long double unit = static_cast<long double>(next) - std::fabs(nearest);
  return static_cast<double>(std::fabs(got - want) / unit);
}

/// A random number from [low, high]: half of them are evenly distributed, the others are evenly
/// distributed in their exponent.
double sample(std::mt19937_64& random, double low, double high) {
  const double part = static_cast<double>(random() >> 11) * 0x1p-53;
  if (random() % 2 == 0) return low + part * (high - low);
  const double large = std::max(std::fabs(low), std::fabs(high));
  const double value = large * std::exp2(-60.0 * part);
  const double sign = random() % 2 == 0 ? value : -value;
  return sign < low || sign > high ? low + part * (high - low) : sign;
}

void expect_within(const char* name, Function function, Exact exact, double low, double high,
                   double bound) {
  std::mt19937_64 random(7);
  double worst = 0.0;
  double where = 0.0;
  for (int i = 0; i < kSamples; ++i) {
    const double x = sample(random, low, high);
    const double error = ulps(function(x), exact(x));
    if (!(error <= worst)) worst = error, where = x;
  }
  EXPECT_LE(worst, bound) << name << "(" << where << ") = " << function(where) << ", not "
                          << static_cast<double>(exact(where));
  ::testing::Test::RecordProperty(name, std::to_string(worst));
}

#define EXPECT_ULPS(name, low, high, bound)            \
  expect_within(                                       \
      #name, [](double x) { return device::name(x); }, \
      [](long double x) -> long double { return std::name(x); }, low, high, bound)

TEST(Elementary, ExponentialsAreWithinOneUlp) {
  EXPECT_ULPS(exp, -744.0, 709.7, 1.0);
  EXPECT_ULPS(exp2, -1074.0, 1023.9, 1.0);
  EXPECT_ULPS(expm1, -40.0, 709.0, 1.0);
  EXPECT_ULPS(expm1, -1.0, 1.0, 1.0);
  expect_within(
      "exp10", device::exp10, [](long double x) { return std::pow(10.0L, x); }, -307.0, 308.0, 1.0);
}

TEST(Elementary, LogarithmsAreWithinOneUlp) {
  EXPECT_ULPS(log, 0.0, 1e300, 1.0);
  EXPECT_ULPS(log, 0.5, 2.0, 1.0);
  EXPECT_ULPS(log2, 0.0, 1e300, 1.0);
  EXPECT_ULPS(log2, 0.9, 1.1, 1.0);
  EXPECT_ULPS(log10, 0.0, 1e300, 1.0);
  EXPECT_ULPS(log10, 0.9, 1.1, 1.0);
  EXPECT_ULPS(log1p, -0.999, 1.0, 1.0);
  EXPECT_ULPS(log1p, 0.0, 1e10, 1.0);
}

TEST(Elementary, TrigonometryIsWithinTwoUlp) {
  EXPECT_ULPS(sin, -10.0, 10.0, 2.0);
  EXPECT_ULPS(sin, -1e6, 1e6, 2.0);
  EXPECT_ULPS(sin, -1e18, 1e18, 2.0);
  EXPECT_ULPS(sin, -1.7e308, 1.7e308, 2.0);
  EXPECT_ULPS(cos, -10.0, 10.0, 2.0);
  EXPECT_ULPS(cos, -1e6, 1e6, 2.0);
  EXPECT_ULPS(cos, -1.7e308, 1.7e308, 2.0);
  EXPECT_ULPS(tan, -10.0, 10.0, 2.0);
  EXPECT_ULPS(tan, -1e300, 1e300, 2.0);
  EXPECT_ULPS(asin, -1.0, 1.0, 2.0);
  EXPECT_ULPS(acos, -1.0, 1.0, 2.0);
  EXPECT_ULPS(atan, -1e3, 1e3, 2.0);
  EXPECT_ULPS(atan, -3.0, 3.0, 2.0);
}

TEST(Elementary, HyperbolicFunctionsAreWithinThreeUlp) {
  EXPECT_ULPS(sinh, -710.0, 710.0, 2.0);
  EXPECT_ULPS(sinh, -3.0, 3.0, 2.0);
  EXPECT_ULPS(cosh, -710.0, 710.0, 2.0);
  EXPECT_ULPS(cosh, -3.0, 3.0, 2.0);
  EXPECT_ULPS(tanh, -25.0, 25.0, 1.0);
  EXPECT_ULPS(tanh, -1.0, 1.0, 1.0);
  EXPECT_ULPS(asinh, -1e20, 1e20, 3.0);
  EXPECT_ULPS(asinh, -3.0, 3.0, 3.0);
  EXPECT_ULPS(acosh, 1.0, 1e20, 3.0);
  EXPECT_ULPS(acosh, 1.0, 3.0, 3.0);
  EXPECT_ULPS(atanh, -1.0, 1.0, 3.0);
}

TEST(Elementary, ErrorFunctionsAreWithinTheirBounds) {
  EXPECT_ULPS(erf, -7.0, 7.0, 2.0);
  EXPECT_ULPS(erfc, -7.0, 26.0, 5.0);
  EXPECT_ULPS(erfc, -1.5, 1.5, 5.0);
}

TEST(Elementary, RootsAreWithinOneUlp) {
  EXPECT_ULPS(cbrt, -1e300, 1e300, 1.0);
  EXPECT_ULPS(cbrt, -10.0, 10.0, 1.0);
  expect_within(
      "rsqrt", device::rsqrt, [](long double x) { return 1 / std::sqrt(x); }, 1e-300, 1e300, 1.0);
}

TEST(Elementary, FunctionsOfTwoArgumentsAreWithinTwoUlp) {
  std::mt19937_64 random(11);
  for (int i = 0; i < kSamples; ++i) {
    const double x = sample(random, 0.0, 1e10);
    const double y = sample(random, -40.0, 40.0);
    EXPECT_LE(ulps(device::pow(x, y), std::pow(static_cast<long double>(x), y)), 1.0)
        << x << " " << y;
    const double near = 1.0 + sample(random, -1e-3, 1e-3);
    const double large = sample(random, -7e5, 7e5);
    EXPECT_LE(ulps(device::pow(near, large), std::pow(static_cast<long double>(near), large)), 1.0)
        << near << " " << large;
    const double a = sample(random, -1e4, 1e4);
    const double b = sample(random, -1e4, 1e4);
    EXPECT_LE(ulps(device::atan2(a, b), std::atan2(static_cast<long double>(a), b)), 2.0);
    EXPECT_LE(ulps(device::hypot(a, b), std::hypot(static_cast<long double>(a), b)), 2.0);
    EXPECT_LE(ulps(device::hypot(a * 1e300, b * 1e300),
                   std::hypot(static_cast<long double>(a * 1e300), b * 1e300)),
              2.0);
    EXPECT_LE(ulps(device::hypot(a * 1e-310, b * 1e-310),
                   std::hypot(static_cast<long double>(a * 1e-310), b * 1e-310)),
              2.0);
  }
}

TEST(Elementary, WholePowersAreExact) {
  for (int base = 2; base <= 12; ++base) {
    double want = 1.0;
    for (int exponent = 0; want < 0x1p53; ++exponent, want *= base) {
      EXPECT_EQ(device::pow(base, exponent), want) << base << "^" << exponent;
      EXPECT_EQ(device::pow(-base, exponent), exponent % 2 == 0 ? want : -want);
    }
  }
  for (int i = -1074; i < 1024; ++i) {
    EXPECT_EQ(device::log2(std::ldexp(1.0, i)), i);
    EXPECT_EQ(device::exp2(i), std::ldexp(1.0, i));
  }
}

/// NaN, infinities, zeros and the numbers around them: the same value and sign as on the host.
TEST(Elementary, SpecialValuesAreThoseOfTheStandard) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {0.0,      -0.0,      1.0,    -1.0,    0.5,     -0.5,  2.0,
                           -2.0,     3.0,       -3.0,   5e-324,  -5e-324, 1e308, -1e308,
                           infinity, -infinity, 0x1p53, -0x1p53, 2.5,     -2.5,  std::nan("")};
  const auto same = [](double got, double want) {
    if (std::isnan(want)) return std::isnan(got);
    if (want == 0.0 || std::isinf(want)) {
      return got == want && std::signbit(got) == std::signbit(want);
    }
    return ulps(got, static_cast<long double>(want)) <= 10.0;
  };
#define EXPECT_SAME(name)                          \
  EXPECT_TRUE(same(device::name(x), std::name(x))) \
      << #name << " of " << x << " is " << device::name(x)
  for (const double x : values) {
    EXPECT_SAME(exp);
    EXPECT_SAME(exp2);
    EXPECT_SAME(expm1);
    EXPECT_SAME(log);
    EXPECT_SAME(log2);
    EXPECT_SAME(log10);
    EXPECT_SAME(log1p);
    EXPECT_SAME(sin);
    EXPECT_SAME(cos);
    EXPECT_SAME(tan);
    EXPECT_SAME(asin);
    EXPECT_SAME(acos);
    EXPECT_SAME(atan);
    EXPECT_SAME(sinh);
    EXPECT_SAME(cosh);
    EXPECT_SAME(tanh);
    EXPECT_SAME(asinh);
    EXPECT_SAME(acosh);
    EXPECT_SAME(atanh);
    EXPECT_SAME(cbrt);
    EXPECT_SAME(erf);
    EXPECT_SAME(erfc);
    for (const double y : values) {
      EXPECT_TRUE(same(device::pow(x, y), std::pow(x, y))) << "pow of " << x << ", " << y;
      EXPECT_TRUE(same(device::atan2(x, y), std::atan2(x, y))) << "atan2 of " << x << ", " << y;
      EXPECT_TRUE(same(device::hypot(x, y), std::hypot(x, y))) << "hypot of " << x << ", " << y;
    }
  }
}

/// Compares every 997th float from one end of the type to the other.
void expect_float_within(const char* name, float (*function)(float), double (*exact)(double),
                         double bound) {
  double worst = 0.0;
  float where = 0.0f;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 997) {
    const float x = __builtin_bit_cast(float, static_cast<std::uint32_t>(bits));
    const double want = exact(static_cast<double>(x));
    const float nearest = static_cast<float>(want);
    const float got = function(x);
    if (std::isnan(nearest) && std::isnan(got)) continue;
    if (std::isinf(nearest) && got == nearest) continue;
    const float unit = std::nextafter(std::fabs(nearest), HUGE_VALF) - std::fabs(nearest);
    const double error = std::fabs(static_cast<double>(got) - want) / static_cast<double>(unit);
    if (!(error <= worst)) worst = error, where = x;
  }
  EXPECT_LE(worst, bound) << name << "f(" << where << ")";
  ::testing::Test::RecordProperty(std::string(name) + "f", std::to_string(worst));
}

#define EXPECT_FLOAT_ULPS(name, bound)                \
  expect_float_within(                                \
      #name, [](float x) { return device::name(x); }, \
      [](double x) -> double { return std::name(x); }, bound)

TEST(Elementary, FloatFunctionsAreWithinCudasBounds) {
  EXPECT_FLOAT_ULPS(exp, 2.0);
  EXPECT_FLOAT_ULPS(log, 1.0);
  EXPECT_FLOAT_ULPS(sin, 2.0);
  EXPECT_FLOAT_ULPS(cos, 2.0);
  EXPECT_FLOAT_ULPS(tanh, 2.0);
}

TEST(Elementary, PartsOfANumberAreThoseOfTheHost) {
  std::mt19937_64 random(5);
  for (int i = 0; i < kSamples; ++i) {
    const double x = __builtin_bit_cast(double, static_cast<std::uint64_t>(random()));
    const double y = sample(random, -100.0, 100.0);
    if (!std::isfinite(x) || y == 0.0) continue;
    EXPECT_EQ(device::fmod(x, y), std::fmod(x, y)) << x << " " << y;
    EXPECT_EQ(device::fmod(y, x), std::fmod(y, x)) << x << " " << y;
    EXPECT_EQ(device::remainder(x, y), std::remainder(x, y)) << x << " " << y;
    EXPECT_EQ(device::remainder(y, y / 37.3), std::remainder(y, y / 37.3)) << y;
    int got = 0;
    int want = 0;
    EXPECT_EQ(device::frexp(x, &got), std::frexp(x, &want));
    EXPECT_EQ(got, want);
    const int shift = static_cast<int>(random() % 4400) - 2200;
    EXPECT_EQ(device::ldexp(x, shift), std::ldexp(x, shift)) << x << " " << shift;
    double whole = 0.0;
    double host_whole = 0.0;
    EXPECT_EQ(device::modf(y, &whole), std::modf(y, &host_whole));
    EXPECT_EQ(whole, host_whole);
  }
}

}  // namespace
