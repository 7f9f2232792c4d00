// Rounding modifiers against exact arithmetic, on chosen and on drawn operands.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "grader/simulator/testing/ptx_program.h"
#include "grader/simulator/testing/rounding.h"

namespace tessera::test {
namespace {

constexpr int kDraws = 250;

/// A number with an exponent near `exponent`, all mantissa bits drawn.
template <class T>
T draw(std::mt19937_64& random, int exponent, int spread) {
  std::uniform_int_distribution<int> exponents(exponent - spread, exponent + spread);
  const double mantissa = 1.0 + std::generate_canonical<double, 53>(random);
  const T value = static_cast<T>(std::ldexp(mantissa, exponents(random)));
  return random() % 2 == 0 ? value : -value;
}

template <class T>
using Exact = std::function<T(const std::vector<T>&, Rounding)>;

template <class T>
void check_roundings(const std::string& instruction, const std::string& operands,
                     const std::vector<std::vector<T>>& rows, const Exact<T>& expected) {
  const std::string type = sizeof(T) == 4 ? "b32" : "b64";
  const std::string name = sizeof(T) == 4 ? "f32" : "f64";
  for (const Rounding rounding : kRoundings) {
    std::vector<Row> table;
    for (const std::vector<T>& row : rows) {
      table.push_back({std::vector<Bits>(row.begin(), row.end()), expected(row, rounding)});
    }
    check({type, std::vector<std::string>(rows.front().size(), type)},
          fmt::format("{}.{}.{} %x, {};", instruction, suffix(rounding), name, operands), table);
  }
}

template <class T>
std::vector<std::vector<T>> draws(std::uint64_t seed, const std::vector<int>& exponents,
                                  int spread) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<T>> rows(kDraws);
  for (std::vector<T>& row : rows) {
    for (const int exponent : exponents) row.push_back(draw<T>(random, exponent, spread));
  }
  return rows;
}

template <class T>
class Rounded : public ::testing::Test {};
using FloatTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Rounded, FloatTypes);

template <class T>
Quad q(T value) {
  return static_cast<Quad>(value);
}

/// Zero that is the difference of equals is +0, but -0 when rounding down.
template <class T>
T rounded_sum(Quad a, Quad b, Rounding rounding) {
  if (a + b == 0 && a != 0) return rounding == Rounding::down ? -T{0} : T{0};
  return rounded<T>(a + b, rounding);
}

TYPED_TEST(Rounded, Add) {
  using T = TypeParam;
  const Exact<T> expected = [](const std::vector<T>& row, Rounding rounding) {
    return rounded_sum<T>(q(row[0]), q(row[1]), rounding);
  };
  check_roundings<T>("add", "%a, %b", draws<T>(1, {0, 3}, 14), expected);
  constexpr T kMax = std::numeric_limits<T>::max();
  constexpr T kDenorm = std::numeric_limits<T>::denorm_min();
  check_roundings<T>(
      "add", "%a, %b",
      {{1, -1}, {-3, 3}, {kMax, kMax}, {-kMax, -kMax}, {kDenorm, kDenorm}, {-kDenorm, kDenorm}},
      expected);
}

TYPED_TEST(Rounded, Subtract) {
  using T = TypeParam;
  check_roundings<T>("sub", "%a, %b", draws<T>(2, {0, -2}, 14),
                     [](const std::vector<T>& row, Rounding rounding) {
                       return rounded_sum<T>(q(row[0]), -q(row[1]), rounding);
                     });
}

TYPED_TEST(Rounded, Multiply) {
  using T = TypeParam;
  const Exact<T> expected = [](const std::vector<T>& row, Rounding rounding) {
    return rounded<T>(q(row[0]) * q(row[1]), rounding);
  };
  constexpr int kLow = std::numeric_limits<T>::min_exponent / 2;
  check_roundings<T>("mul", "%a, %b", draws<T>(3, {5, -7}, 20), expected);
  check_roundings<T>("mul", "%a, %b", draws<T>(4, {kLow, kLow}, 12), expected);   // underflow
  check_roundings<T>("mul", "%a, %b", draws<T>(5, {-kLow, -kLow}, 3), expected);  // overflow
}

TYPED_TEST(Rounded, FusedMultiplyAdd) {
  using T = TypeParam;
  const Exact<T> expected = [](const std::vector<T>& row, Rounding rounding) {
    return rounded_sum<T>(q(row[0]) * q(row[1]), q(row[2]), rounding);
  };
  check_roundings<T>("fma", "%a, %b, %c", draws<T>(6, {0, 0, 0}, 2), expected);
  check_roundings<T>("mad", "%a, %b, %c", draws<T>(7, {1, 2, 3}, 1), expected);
  check_roundings<T>("fma", "%a, %b, %c", {{3, 5, -15}, {-3, 5, 15}, {3, 5, 15}}, expected);
}

TYPED_TEST(Rounded, Divide) {
  using T = TypeParam;
  const Exact<T> expected = [](const std::vector<T>& row, Rounding rounding) {
    return rounded<T>(q(row[0]) / q(row[1]), rounding);
  };
  check_roundings<T>("div", "%a, %b", draws<T>(8, {0, 0}, 20), expected);
  check_roundings<T>("div", "%a, %b", {{1, 3}, {-1, 3}, {6, 3}, {-10, 7}}, expected);
}

TYPED_TEST(Rounded, Reciprocal) {
  using T = TypeParam;
  check_roundings<T>("rcp", "%a", draws<T>(9, {0}, 30),
                     [](const std::vector<T>& row, Rounding rounding) {
                       return rounded<T>(q(T{1}) / q(row[0]), rounding);
                     });
}

TYPED_TEST(Rounded, SquareRoot) {
  using T = TypeParam;
  std::vector<std::vector<T>> rows = draws<T>(10, {0}, 60);
  for (std::vector<T>& row : rows) row[0] = std::abs(row[0]);
  rows.push_back({4});
  rows.push_back({std::numeric_limits<T>::denorm_min()});
  check_roundings<T>("sqrt", "%a", rows, [](const std::vector<T>& row, Rounding rounding) {
    return rounded_sqrt(row[0], rounding);
  });
}

TEST(RoundedByHand, OneUlpApart) {
  check32("add.rz.f32 %x, %a, %b;", {{{1.0f, 0x1.8p-24f}, 1.0f}, {{-1.0f, -0x1.8p-24f}, -1.0f}});
  check32("add.rm.f32 %x, %a, %b;",
          {{{1.0f, 0x1p-40f}, 1.0f}, {{-1.0f, -0x1p-40f}, -0x1.000002p0f}, {{1.0f, -1.0f}, -0.0f}});
  check32("add.rp.f32 %x, %a, %b;",
          {{{1.0f, 0x1p-40f}, 0x1.000002p0f}, {{-1.0f, -0x1p-40f}, -1.0f}, {{1.0f, -1.0f}, 0.0f}});
  check32("mul.rz.f32 %x, %a, %b;",
          {{{std::numeric_limits<float>::max(), 2.0f}, std::numeric_limits<float>::max()}});
  check32("fma.rp.f32 %x, %a, %b, %c;", {{{0x1p-100f, 0x1p-100f, 1.0f}, 0x1.000002p0f}});
  check64("fma.rm.f64 %x, %a, %b, %c;", {{{0x1p-600, -0x1p-600, 1.0}, 0x1.fffffffffffffp-1}});
}

TEST(RoundedByHand, FtzComesAfterRounding) {
  check32("mul.rp.ftz.f32 %x, %a, %b;",
          {{{0x1p-126f, 0x1p-1f}, 0.0f}, {{-0x1p-126f, 0x1p-1f}, -0.0f}});
  check32("add.rm.ftz.f32 %x, %a, %b;", {{{0x1p-149f, 1.0f}, 1.0f}, {{-0x1p-149f, 1.0f}, 1.0f}});
}

}  // namespace
}  // namespace tessera::test
