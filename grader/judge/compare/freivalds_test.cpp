#include "grader/judge/compare/freivalds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "common/device_storage.h"
#include "common/matmul.h"
#include "common/recipe.h"
#include "common/rounding.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t kSeed = 99;

HostMatrix filled(Element element, int height, int width, const std::string& generator,
                  std::uint64_t seed, int padding = 0) {
  HostMatrix matrix(element, height, width, width + padding);
  const auto error = fill(matrix, {.generator = generator}, seed);
  EXPECT_FALSE(error);
  return matrix;
}

/// A right product, of float32 whole numbers, real numbers or int32.
struct Product {
  HostMatrix a, b, c;

  Product(Element element, int m, int n, int k, const std::string& generator, int padding = 0)
      : a(filled(element, m, k, generator, 1, padding)),
        b(filled(element, k, n, generator, 2, padding)),
        c(element, m, n, n + padding) {
    poison(c);
    matmul_openmp(a, b, c);
  }

  Comparison check() const { return check_product("C", a, b, c, kSeed); }

  std::string message() const {
    const Comparison comparison = check();
    return comparison.findings.empty() ? "right" : comparison.findings.front().message;
  }

  void leave_unwritten(int row, int column) {
    c.as<std::uint32_t>()[index(row, column)] = poison_bits(c.element());
  }

  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(c.pitch()) +
           static_cast<std::size_t>(column);
  }
};

TEST(Freivalds, ARightProductPasses) {
  EXPECT_EQ(Product(Element::float32, 200, 150, 300, "integers", 5).message(), "right");
  EXPECT_EQ(Product(Element::float32, 200, 150, 300, "uniform", 5).message(), "right");
  EXPECT_EQ(Product(Element::int32, 200, 150, 300, "uniform", 5).message(), "right");
  EXPECT_EQ(Product(Element::float32, 1, 1, 1, "uniform").message(), "right");
}

TEST(Freivalds, DataOfEveryKindPasses) {
  for (const char* generator : {"identity", "permutation", "hilbert", "ones", "zeros", "index"}) {
    EXPECT_EQ(Product(Element::float32, 160, 160, 160, generator).message(), "right") << generator;
  }
}

TEST(Freivalds, OneWrongElementOfALargeProductIsCaughtAndLocated) {
  Product product(Element::float32, 2048, 2048, 2048, "integers");
  EXPECT_EQ(product.message(), "right");
  product.c.set(1234, 567, product.c.value(1234, 567) + 1);
  const Comparison comparison = product.check();
  ASSERT_EQ(comparison.findings.size(), 1u);
  EXPECT_EQ(comparison.findings[0].kind, FindingKind::wrong_result);
  EXPECT_EQ(comparison.findings[0].count, 1u);
  EXPECT_THAT(comparison.findings[0].message,
              HasSubstr("1 of 4,194,304 elements is wrong: row 1234, column 567. C[1234][567]"));
  EXPECT_EQ(comparison.findings[0].example[0].second, "C[1234][567]");
}

TEST(Freivalds, AMissingElementOfRealDataIsCaughtAndLocated) {
  Product product(Element::float32, 1024, 1024, 1024, "uniform");
  product.c.set(3, 1023, product.c.value(3, 1023) + 0.5);
  const Comparison comparison = product.check();
  ASSERT_EQ(comparison.findings.size(), 1u);
  EXPECT_EQ(comparison.findings[0].count, 1u);
  EXPECT_EQ(comparison.findings[0].example[0].second, "C[3][1023]");
}

TEST(Freivalds, ErrorsThatCancelAreCaught) {
  Product product(Element::float32, 64, 64, 64, "integers");
  product.c.set(7, 8, product.c.value(7, 8) + 4);
  product.c.set(7, 9, product.c.value(7, 9) - 4);
  EXPECT_THAT(product.message(), HasSubstr("2 of 4,096 elements are wrong"));
}

TEST(Freivalds, NanAndInfinityAreNotFinite) {
  Product product(Element::float32, 128, 96, 64, "uniform");
  product.c.set(5, 6, std::numeric_limits<double>::quiet_NaN());
  product.c.set(9, 95, -std::numeric_limits<double>::infinity());
  const Comparison comparison = product.check();
  ASSERT_EQ(comparison.findings.size(), 1u);
  EXPECT_EQ(comparison.findings[0].kind, FindingKind::not_finite);
  EXPECT_EQ(comparison.findings[0].count, 2u);
  EXPECT_THAT(comparison.findings[0].message, HasSubstr("C[5][6] is nan"));
}

TEST(Freivalds, UnwrittenRowsAreKeptApart) {
  for (const Element element : {Element::float32, Element::int32}) {
    Product product(element, 128, 96, 64, "integers");
    for (int row = 120; row < 128; ++row) {
      for (int column = 0; column < 96; ++column) product.leave_unwritten(row, column);
    }
    product.c.set(3, 4, 12345);
    const Comparison comparison = product.check();
    ASSERT_EQ(comparison.findings.size(), 2u);
    EXPECT_EQ(comparison.findings[0].kind, FindingKind::output_not_written);
    EXPECT_THAT(comparison.findings[0].message, HasSubstr("the last 8 rows"));
    EXPECT_THAT(comparison.findings[1].message, HasSubstr("row 3, column 4"));
    EXPECT_FALSE(comparison.unwritten);
  }
}

TEST(Freivalds, NothingWrittenIsSaidOnce) {
  Product product(Element::float32, 64, 64, 64, "uniform");
  poison(product.c);
  const Comparison comparison = product.check();
  ASSERT_EQ(comparison.findings.size(), 1u);
  EXPECT_TRUE(comparison.unwritten);
  EXPECT_THAT(comparison.findings[0].message, HasSubstr("nothing was written"));
}

TEST(Freivalds, AnAllZeroProductIsWrongEverywhere) {
  Product product(Element::float32, 1024, 1024, 1024, "uniform");
  std::ranges::fill(product.c.as<float>(), 0.0f);
  EXPECT_THAT(product.message(), HasSubstr("1,024 of 1,024 rows are wrong: all of them"));
}

TEST(Freivalds, Int32IsExactModuloTwoToTheThirtyTwo) {
  Product product(Element::int32, 128, 128, 4096, "index");
  EXPECT_EQ(product.message(), "right");
  auto& element = product.c.as<std::int32_t>()[product.index(64, 64)];
  element = static_cast<std::int32_t>(static_cast<std::uint32_t>(element) ^ 0x80000000u);
  EXPECT_THAT(product.message(), HasSubstr("1 of 16,384 elements is wrong: row 64, column 64"));
}

TEST(Freivalds, MatricesThatDoNotFitAreRefused) {
  const HostMatrix a(Element::float32, 4, 5), b(Element::float32, 6, 4), c(Element::float32, 4, 4);
  EXPECT_THROW(suspect_rows(a, b, c, kSeed), std::invalid_argument);
}

// ---- summation orders, and precision below float32

enum class Order { forward, backward, pairwise, four_chains, fused };

float sum_pairwise(const std::vector<float>& terms, std::size_t from, std::size_t to) {
  if (to - from == 1) return terms[from];
  const std::size_t middle = (from + to) / 2;
  return sum_pairwise(terms, from, middle) + sum_pairwise(terms, middle, to);
}

float sum(const std::vector<float>& a, const std::vector<float>& b, Order order) {
  const std::size_t k = a.size();
  std::vector<float> terms(k);
  for (std::size_t p = 0; p < k; ++p) terms[p] = a[p] * b[p];
  float chains[4] = {};
  switch (order) {
    case Order::forward:
      for (const float term : terms) chains[0] += term;
      break;
    case Order::backward:
      for (std::size_t p = k; p-- > 0;) chains[0] += terms[p];
      break;
    case Order::pairwise:
      return sum_pairwise(terms, 0, k);
    case Order::four_chains:
      for (std::size_t p = 0; p < k; ++p) chains[p % 4] += terms[p];
      break;
    case Order::fused:
      for (std::size_t p = 0; p < k; ++p) chains[0] = std::fma(a[p], b[p], chains[0]);
      break;
  }
  return (chains[0] + chains[1]) + (chains[2] + chains[3]);
}

/// 10 bits of fraction, rounded to nearest.
float to_tf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0xfffu + ((bits >> 13) & 1)) & ~0x1fffu);
}

HostMatrix multiply(const HostMatrix& a, const HostMatrix& b, Order order) {
  HostMatrix c(Element::float32, a.height(), b.width());
  const auto depth = static_cast<std::size_t>(a.width());
  std::vector<float> row(depth), column(depth);
  for (int j = 0; j < c.width(); ++j) {
    for (int p = 0; p < b.height(); ++p) {
      column[static_cast<std::size_t>(p)] = static_cast<float>(b.value(p, j));
    }
    for (int i = 0; i < c.height(); ++i) {
      const float* from = a.as<float>().data() + static_cast<std::size_t>(i * a.pitch());
      row.assign(from, from + depth);
      c.set(i, j, static_cast<double>(sum(row, column, order)));
    }
  }
  return c;
}

TEST(Freivalds, EverySummationOrderPasses) {
  for (const int depth : {1, 7, 64, 2048}) {
    for (const char* generator : {"uniform", "constant", "hilbert"}) {
      const HostMatrix a = filled(Element::float32, 24, depth, generator, 3);
      const HostMatrix b = filled(Element::float32, depth, 40, generator, 4);
      for (const Order order :
           {Order::forward, Order::backward, Order::pairwise, Order::four_chains, Order::fused}) {
        EXPECT_TRUE(suspect_rows(a, b, multiply(a, b, order), kSeed).empty())
            << depth << " " << generator << " " << static_cast<int>(order);
      }
    }
  }
}

TEST(Freivalds, ConstantDataWhoseRoundingsAllPointOneWayPasses) {
  HostMatrix a(Element::float32, 16, 4096), b(Element::float32, 4096, 64);
  std::ranges::fill(a.as<float>(), 0.1f);
  std::ranges::fill(b.as<float>(), 0.3f);
  EXPECT_TRUE(suspect_rows(a, b, multiply(a, b, Order::forward), kSeed).empty());
}

TEST(Freivalds, RightProductsLeaveRoomToTheTolerance) {
  const HostMatrix a = filled(Element::float32, 64, 2048, "uniform", 3);
  const HostMatrix b = filled(Element::float32, 2048, 96, "uniform", 4);
  HostMatrix c = multiply(a, b, Order::forward);
  for (float& value : c.as<float>()) {
    value += 1e-5f * (std::bit_cast<std::uint32_t>(value) & 1 ? 1.0f : -1.0f);
  }
  EXPECT_TRUE(suspect_rows(a, b, c, kSeed).empty());
}

TEST(Freivalds, Tf32Fails) {
  for (const int depth : {64, 512, 2048}) {
    const HostMatrix a = filled(Element::float32, 64, depth, "uniform", 3);
    const HostMatrix b = filled(Element::float32, depth, 96, "uniform", 4);
    HostMatrix rounded_a = a, rounded_b = b;
    for (float& value : rounded_a.as<float>()) value = to_tf32(value);
    for (float& value : rounded_b.as<float>()) value = to_tf32(value);
    const HostMatrix c = multiply(rounded_a, rounded_b, Order::fused);
    EXPECT_GT(suspect_rows(a, b, c, kSeed).size(), 60u) << depth;
    const Comparison comparison = check_product("C", a, b, c, kSeed);
    ASSERT_EQ(comparison.findings.size(), 1u);
    EXPECT_EQ(comparison.findings[0].kind, FindingKind::wrong_result);
  }
}

/// Numbers of 16 bits, at random.
HostMatrix halves(int height, int width, const std::string& generator, std::uint64_t seed) {
  HostMatrix matrix(Element::float32, height, width, width, Storage::bfloat16);
  EXPECT_FALSE(fill(matrix, {.generator = generator}, seed));
  round_to_storage(matrix);
  return matrix;
}

/// The product as tensor cores compute it: sums that are cut to a float every `step` products.
/// Then each element is rounded to `result`.
HostMatrix tensor_product(const HostMatrix& a, const HostMatrix& b, int step,
                          const FloatFormat& result = kFloat) {
  HostMatrix c(Element::float32, a.height(), b.width());
  for (int row = 0; row < c.height(); ++row) {
    for (int column = 0; column < c.width(); ++column) {
      double sum = 0;
      for (int p = 0; p < a.width(); ++p) {
        sum += a.value(row, p) * b.value(p, column);
        if ((p + 1) % step == 0) sum = round_to(sum, kFloat, Rounding::zero);
      }
      c.set(row, column, round_to(sum, result));
    }
  }
  return c;
}

TEST(Freivalds, SumsThatTensorCoresCutPass) {
  for (const char* generator : {"uniform", "ones", "hilbert"}) {
    for (const int step : {8, 16}) {
      const HostMatrix a = halves(8, 4096, generator, 3);
      const HostMatrix b = halves(4096, 64, generator, 4);
      const HostMatrix c = tensor_product(a, b, step);
      EXPECT_TRUE(suspect_rows(a, b, c, kSeed).empty()) << generator << ' ' << step;
      EXPECT_TRUE(check_product("C", a, b, c, kSeed).findings.empty()) << generator;
    }
  }
}

TEST(Freivalds, CutsOfVeryLongSumsPass) {
  constexpr int kDepth = 1 << 17;
  const HostMatrix a = halves(4, kDepth, "uniform", 3);
  const HostMatrix b = halves(kDepth, 4, "uniform", 4);
  EXPECT_TRUE(suspect_rows(a, b, tensor_product(a, b, 4), kSeed).empty());
}

TEST(Freivalds, ResultsOfSixteenBitsFail) {
  const HostMatrix a = halves(24, 2048, "uniform", 3);
  const HostMatrix b = halves(2048, 96, "uniform", 4);
  for (const FloatFormat& format : {kBfloat16, kHalf})
    EXPECT_EQ(suspect_rows(a, b, tensor_product(a, b, 16, format), kSeed).size(), 24u);
}

TEST(Freivalds, AMissingPhaseOfSixteenBitsFails) {
  const HostMatrix a = halves(24, 2048, "uniform", 3);
  const HostMatrix b = halves(2048, 96, "uniform", 4);
  HostMatrix without = a;
  for (int row = 0; row < a.height(); ++row) without.set(row, 2047, 0);
  EXPECT_GT(suspect_rows(a, b, tensor_product(without, b, 16), kSeed).size(), 20u);
}

TEST(Freivalds, RowsThatAreOffThoughNoElementIsAreExplained) {
  const HostMatrix a = filled(Element::float32, 8, 1024, "uniform", 3);
  const HostMatrix b = filled(Element::float32, 1024, 4096, "uniform", 4);
  HostMatrix c = multiply(a, b, Order::forward);
  const ProductRow right = product_row(a, b, 2);
  for (int column = 0; column < c.width(); ++column) {
    const auto at = static_cast<std::size_t>(column);
    c.set(2, column, right.value[at] + 0.9 * right.bound[at]);
  }
  const Comparison comparison = check_product("C", a, b, c, kSeed);
  ASSERT_EQ(comparison.findings.size(), 1u);
  EXPECT_THAT(comparison.findings[0].message, HasSubstr("1 of 8 rows is wrong: row 2"));
  EXPECT_THAT(comparison.findings[0].hint, HasSubstr("TF32"));
  EXPECT_THAT(comparison.findings[0].message, Not(HasSubstr("expected")));
}

}  // namespace
}  // namespace tessera
