// Approximate functions: special values by table, all else within the ISA's documented error.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "grader/simulator/testing/odd_values.h"
#include "grader/simulator/testing/ptx_program.h"

namespace tessera::test {
namespace {

std::vector<float> between(double low, double high, int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(low + (high - low) * i / (count - 1)));
  }
  return values;
}

std::vector<float> powers(int low, int high) {
  std::vector<float> values;
  for (int exponent = low; exponent <= high; ++exponent) {
    for (const double mantissa : {1.0, 1.1, 1.37, 1.5, 1.75, 1.999}) {
      values.push_back(static_cast<float>(std::ldexp(mantissa, exponent)));
    }
  }
  return values;
}

double ulp(double exact) {
  const float value = static_cast<float>(std::abs(exact));
  return static_cast<double>(std::nextafter(value, kInf)) - static_cast<double>(value);
}

using Function = std::function<double(double)>;

void expect_error(const std::string& body, const std::vector<float>& inputs, const Function& exact,
                  const Function& allowed) {
  for (std::size_t first = 0; first < inputs.size(); first += 1024) {
    std::vector<std::vector<Bits>> operands;
    for (std::size_t i = first; i < std::min(first + 1024, inputs.size()); ++i)
      operands.push_back({inputs[i]});
    const std::vector<std::uint64_t> bits = evaluate({"b32", {"b32"}}, body, operands);
    ASSERT_EQ(bits.size(), operands.size());
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const double input = static_cast<double>(inputs[first + i]);
      const double got =
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits[i])));
      const double want = exact(input);
      EXPECT_TRUE(std::abs(got - want) <= allowed(want))
          << body << fmt::format(" of {} gave {}, exact {}", input, got, want);
    }
  }
}

Function relative(double factor) {
  return [factor](double want) { return std::abs(want) * factor; };
}
Function absolute(double error) {
  return [error](double) { return error; };
}
Function ulps(double count) {
  return [count](double want) { return count * ulp(want); };
}

TEST(Approximate, SineAndCosineAreWithinTheirAbsoluteError) {
  const double pi = std::numbers::pi;
  for (const char* ftz : {"", ".ftz"}) {
    const std::string sine = fmt::format("sin.approx{}.f32 %x, %a;", ftz);
    const std::string cosine = fmt::format("cos.approx{}.f32 %x, %a;", ftz);
    expect_error(
        sine, between(-2 * pi, 2 * pi, 999), [](double x) { return std::sin(x); },
        absolute(std::exp2(-20.5)));
    expect_error(
        cosine, between(-2 * pi, 2 * pi, 999), [](double x) { return std::cos(x); },
        absolute(std::exp2(-20.5)));
    expect_error(
        sine, between(-100 * pi, 100 * pi, 999), [](double x) { return std::sin(x); },
        absolute(std::exp2(-14.7)));
    expect_error(
        cosine, between(-100 * pi, 100 * pi, 999), [](double x) { return std::cos(x); },
        absolute(std::exp2(-14.7)));
  }
}

TEST(Approximate, LogarithmIsWithinItsError) {
  const Function log2 = [](double x) { return std::log2(x); };
  expect_error("lg2.approx.f32 %x, %a;", between(0.5, 2, 999), log2, absolute(0x1p-22));
  expect_error("lg2.approx.f32 %x, %a;", powers(1, 126), log2, relative(0x1p-22));
  expect_error("lg2.approx.f32 %x, %a;", powers(-149, -2), log2, relative(0x1p-22));
  expect_error("lg2.approx.ftz.f32 %x, %a;", powers(-126, -2), log2, relative(0x1p-22));
}

TEST(Approximate, ExponentialIsWithinTwoUlp) {
  const Function exp2 = [](double x) { return std::exp2(x); };
  expect_error("ex2.approx.f32 %x, %a;", between(-148, 127.9, 1000), exp2, ulps(2.5));
  expect_error("ex2.approx.ftz.f32 %x, %a;", between(-125.9, 127.9, 1000), exp2, ulps(2.5));
}

TEST(Approximate, HyperbolicTangentIsWithinItsRelativeError) {
  expect_error(
      "tanh.approx.f32 %x, %a;", between(-12, 12, 1001), [](double x) { return std::tanh(x); },
      relative(0x1p-11));
  expect_error(
      "tanh.approx.f32 %x, %a;", powers(-149, 3), [](double x) { return std::tanh(x); },
      [](double want) { return std::abs(want) * 0x1p-11 + 0x1p-149; });
}

TEST(Approximate, ReciprocalsAndRootsAreWithinTheirErrors) {
  expect_error(
      "rcp.approx.f32 %x, %a;", powers(-126, 125), [](double x) { return 1 / x; }, ulps(1.5));
  expect_error(
      "rcp.approx.ftz.f32 %x, %a;", powers(-126, 125), [](double x) { return 1 / x; }, ulps(1.5));
  expect_error(
      "rsqrt.approx.f32 %x, %a;", powers(-149, 126), [](double x) { return 1 / std::sqrt(x); },
      relative(std::exp2(-22.9)));
  expect_error(
      "rsqrt.approx.ftz.f32 %x, %a;", powers(-126, 126), [](double x) { return 1 / std::sqrt(x); },
      relative(std::exp2(-22.9)));
  expect_error(
      "sqrt.approx.f32 %x, %a;", powers(-126, 126), [](double x) { return std::sqrt(x); },
      relative(0x1p-22));
  expect_error(
      "sqrt.approx.ftz.f32 %x, %a;", powers(-126, 126), [](double x) { return std::sqrt(x); },
      relative(0x1p-22));
}

TEST(Approximate, DivisionIsWithinTwoUlp) {
  const std::vector<std::string> bodies = {
      "div.approx.f32 %x, %a, 0f40490FDB;", "div.full.f32 %x, %a, 0f40490FDB;",
      "div.approx.ftz.f32 %x, %a, 0f40490FDB;", "div.full.ftz.f32 %x, %a, 0f40490FDB;"};
  const double pi = static_cast<double>(0x1.921fb6p1f);
  for (const std::string& body : bodies) {
    expect_error(
        body, powers(-100, 100), [pi](double x) { return x / pi; }, ulps(2.5));
  }
}

TEST(Approximate, SpecialValuesAreExact) {
  check32("sin.approx.f32 %x, %a;", {{{-0.0f}, -0.0f},
                                     {{0.0f}, 0.0f},
                                     {{kInf}, Bits::nan()},
                                     {{-kInf}, Bits::nan()},
                                     {{kOtherNan}, Bits::nan()}});
  check32("cos.approx.f32 %x, %a;",
          {{{-0.0f}, 1.0f}, {{0.0f}, 1.0f}, {{kInf}, Bits::nan()}, {{kOtherNan}, Bits::nan()}});
  check32("lg2.approx.f32 %x, %a;", {{{-kInf}, Bits::nan()},
                                     {{-1.0f}, Bits::nan()},
                                     {{-0.0f}, -kInf},
                                     {{0.0f}, -kInf},
                                     {{kInf}, kInf},
                                     {{kOtherNan}, Bits::nan()},
                                     {{1.0f}, 0.0f},
                                     {{8.0f}, 3.0f}});
  check32("lg2.approx.ftz.f32 %x, %a;", {{{kDenorm}, -kInf}, {{-kDenorm}, -kInf}});
  check32("ex2.approx.f32 %x, %a;", {{{-kInf}, 0.0f},
                                     {{-0.0f}, 1.0f},
                                     {{0.0f}, 1.0f},
                                     {{kInf}, kInf},
                                     {{kOtherNan}, Bits::nan()},
                                     {{128.0f}, kInf},
                                     {{-200.0f}, 0.0f},
                                     {{3.0f}, 8.0f}});
  check32("ex2.approx.ftz.f32 %x, %a;", {{{-130.0f}, 0.0f}, {{kDenorm}, 1.0f}});
  check32("tanh.approx.f32 %x, %a;", {{{-kInf}, -1.0f},
                                      {{-0.0f}, -0.0f},
                                      {{0.0f}, 0.0f},
                                      {{kInf}, 1.0f},
                                      {{kOtherNan}, Bits::nan()}});
  check32("rcp.approx.f32 %x, %a;", {{{-kInf}, -0.0f},
                                     {{-0.0f}, -kInf},
                                     {{0.0f}, kInf},
                                     {{kInf}, 0.0f},
                                     {{kOtherNan}, Bits::nan()},
                                     {{2.0f}, 0.5f}});
  check32("rcp.approx.ftz.f32 %x, %a;",
          {{{kDenorm}, kInf}, {{-kDenorm}, -kInf}, {{0x1p127f}, 0.0f}});
  check32("rsqrt.approx.f32 %x, %a;", {{{-kInf}, Bits::nan()},
                                       {{-1.0f}, Bits::nan()},
                                       {{-0.0f}, -kInf},
                                       {{0.0f}, kInf},
                                       {{kInf}, 0.0f},
                                       {{kOtherNan}, Bits::nan()}});
  check32("rsqrt.approx.ftz.f32 %x, %a;", {{{kDenorm}, kInf}, {{-kDenorm}, -kInf}});
  check32("sqrt.approx.f32 %x, %a;", {{{-kInf}, Bits::nan()},
                                      {{-1.0f}, Bits::nan()},
                                      {{-0.0f}, -0.0f},
                                      {{0.0f}, 0.0f},
                                      {{kInf}, kInf}});
  check32("sqrt.approx.ftz.f32 %x, %a;", {{{kDenorm}, 0.0f}, {{-kDenorm}, -0.0f}});
}

TEST(Approximate, DivisionByHugeNumbersGivesZero) {
  // For 2^126 < |b| < 2^128 the ISA wants a sign-preserving zero, and NaN for an infinite dividend.
  check32("div.approx.f32 %x, %a, %b;", {{{1.0f, 0x1.8p126f}, 0.0f},
                                         {{-1.0f, 0x1p127f}, -0.0f},
                                         {{0x1p120f, 0x1p127f}, 0.0f},
                                         {{kInf, 0x1p127f}, Bits::nan()},
                                         {{6.0f, 2.0f}, 3.0f},
                                         {{1.0f, 0.0f}, kInf},
                                         {{1.0f, kInf}, 0.0f},
                                         {{kInf, kInf}, Bits::nan()},
                                         {{0.0f, 0.0f}, Bits::nan()}});
  check32("div.full.f32 %x, %a, %b;", {{{6.0f, 2.0f}, 3.0f},
                                       {{0x1p127f, 0x1p127f}, 1.0f},
                                       {{-1.0f, 0.0f}, -kInf},
                                       {{0.0f, 0.0f}, Bits::nan()},
                                       {{1.0f, kInf}, 0.0f},
                                       {{kInf, kInf}, Bits::nan()}});
  check32("div.full.ftz.f32 %x, %a, %b;", {{{kTiny, 2.0f}, 0.0f}, {{1.0f, kDenorm}, kInf}});
}

TEST(Approximate, DoubleFormsKeepTheirTables) {
  const double inf = std::numeric_limits<double>::infinity();
  check64("rsqrt.approx.f64 %x, %a;",
          {{{-0.0}, -inf}, {{0.0}, inf}, {{inf}, 0.0}, {{-1.0}, Bits::nan()}, {{0.25}, 2.0}});
  check64("rcp.approx.ftz.f64 %x, %a;", {{{-0.0}, -inf},
                                         {{0.0}, inf},
                                         {{inf}, 0.0},
                                         {{-inf}, -0.0},
                                         {{Bits(0xfff8000000000001)}, Bits(0x7fffffff00000000)},
                                         {{0x1p-1060}, inf},
                                         {{-0x1p-1060}, -inf}});
  check64("rsqrt.approx.ftz.f64 %x, %a;", {{{-0.0}, -inf},
                                           {{0.0}, inf},
                                           {{inf}, 0.0},
                                           {{Bits(0xfff8000000000001)}, Bits(0x7fffffff00000000)},
                                           {{0x1p-1060}, inf}});
  for (const char* name : {"rcp", "rsqrt"}) {
    const std::vector<std::uint64_t> bits = evaluate(
        {"b64", {"b64"}}, fmt::format("{}.approx.ftz.f64 %x, %a;", name), {{3.0}, {0.7}, {1e100}});
    ASSERT_EQ(bits.size(), 3u);
    const std::vector<double> inputs = {3.0, 0.7, 1e100};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(bits[i] & 0xffffffff, 0u) << "the low word is zero";
      const double want = 1 / (name[1] == 'c' ? inputs[i] : std::sqrt(inputs[i]));
      EXPECT_NEAR(std::bit_cast<double>(bits[i]) / want, 1, 0x1p-17);
    }
  }
}

}  // namespace
}  // namespace tessera::test
