#include "grader/simulator/exec/tensor_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "grader/simulator/testing/tensor_records.h"

namespace tessera::test {
namespace {

using sim::TensorType;

/// 16 rows of A, eight columns of B, each along k, and what is added, as floats' bits.
struct Operands {
  TensorType type = TensorType::bf16;
  std::size_t depth = 16;
  std::array<std::array<std::uint32_t, 16>, 16> a{};
  std::array<std::array<std::uint32_t, 16>, 8> b{};
  std::array<std::array<std::uint32_t, 8>, 16> c{};
};

std::array<std::array<std::uint32_t, 8>, 16> product(const Operands& operands) {
  sim::TensorRows rows;
  rows.bits = operands.a;
  rows.prepare(operands.type);
  sim::TensorColumns columns;
  for (std::size_t j = 0; j < 8; ++j) {
    for (std::size_t k = 0; k < 16; ++k) columns.bits[k][j] = operands.b[j][k];
  }
  columns.prepare(operands.type);
  sim::TensorSums sums;
  sums.bits = operands.c;
  sim::multiply(rows, columns, operands.type, operands.depth, sums);
  return sums.bits;
}

/// The element in that row and column of A B + C, where A has `a` in that row, B has `b` in that
/// column, C has `c` there, and the rest is `other`.
std::uint32_t element(const TensorRecord& record, std::size_t row, std::size_t column,
                      std::uint32_t other) {
  Operands operands;
  operands.type = record.type;
  operands.depth = record.a.size();
  for (auto& each : operands.a) std::fill_n(each.begin(), operands.depth, other);
  for (auto& each : operands.b) std::fill_n(each.begin(), operands.depth, other);
  std::copy(record.a.begin(), record.a.end(), operands.a[row].begin());
  std::copy(record.b.begin(), record.b.end(), operands.b[column].begin());
  operands.c[row][column] = record.c;
  return product(operands)[row][column];
}

std::uint32_t infinite(TensorType type) {
  switch (type) {
    case TensorType::bf16:
      return 0x7f80;
    case TensorType::f16:
      return 0x7c00;
    case TensorType::tf32:
      break;
  }
  return 0x7f800000;
}

TEST(TensorProduct, IsWhatAnH200Calculates) {
  for (const TensorRecord& record : kTensorRecords) {
    EXPECT_EQ(element(record, 0, 0, 0), record.d);
    EXPECT_EQ(element(record, 13, 6, 0), record.d);
    EXPECT_EQ(element(record, 7, 7, 0), record.d);
  }
}

TEST(TensorProduct, IsTheSameBesideNumbersThatNeedCare) {
  // An infinite number elsewhere turns the way for moderate numbers off.
  for (const TensorRecord& record : kTensorRecords) {
    EXPECT_EQ(element(record, 3, 2, infinite(record.type)), record.d);
  }
}

TEST(TensorProduct, DoesNotDependOnTheWayThatItIsCalculated) {
  constexpr unsigned kSeed = 14;
  std::mt19937 generator(kSeed);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  for (const TensorType type : {TensorType::bf16, TensorType::f16, TensorType::tf32}) {
    const int lost = type == TensorType::bf16 ? 16 : 13;  // bits of a float's fraction
    const auto number = [&](int spread) -> std::uint32_t {
      if (random() % 5 == 0) return 0;
      const std::uint32_t exponent = 127 - static_cast<std::uint32_t>(spread) +
                                     random() % static_cast<std::uint32_t>(2 * spread);
      const std::uint32_t bits = (random() & 0x80000000) | exponent << 23 | (random() & 0x7fffff);
      if (type == TensorType::tf32) return bits;
      if (type == TensorType::bf16) return bits >> lost;
      return (bits >> 16 & 0x8000) | (exponent - 112) << 10 | (bits >> lost & 0x3ff);
    };
    for (int i = 0; i < 3000; ++i) {
      const int spread = type == TensorType::f16 ? 14 : 40;
      TensorRecord record{.type = type, .a = {}, .b = {}, .c = 0, .d = 0};
      for (int k = 0; k < (type == TensorType::tf32 ? 8 : 16); ++k) {
        record.a.push_back(number(spread));
        record.b.push_back(number(spread));
      }
      record.c = random() % 4 == 0 ? 0
                                   : std::bit_cast<std::uint32_t>(
                                         std::ldexp(1 + static_cast<float>(random() % 1000) / 1000,
                                                    static_cast<int>(random() % 40) - 20));
      ASSERT_EQ(element(record, 0, 0, 0), element(record, 0, 0, infinite(type)))
          << "seed " << kSeed << ", product " << i;
    }
  }
}

TEST(TensorProduct, OfWholeNumbersDoesNotDependOnTheWayThatItIsCalculated) {
  constexpr unsigned kSeed = 15;
  std::mt19937 generator(kSeed);
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  const auto signed_by_chance = [&](float value) { return random() % 2 == 0 ? value : -value; };
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t most = 1u << (1 + random() % 8);
    TensorRecord record{.type = TensorType::bf16, .a = {}, .b = {}, .c = 0, .d = 0};
    const auto number = [&] {
      const float whole = signed_by_chance(static_cast<float>(random() % most));
      // One in many is not whole, or very large.
      const float other = signed_by_chance(random() % 2 == 0 ? 0.5f : 0x1p60f);
      return std::bit_cast<std::uint32_t>(random() % 500 == 0 ? other : whole) >> 16;
    };
    for (int k = 0; k < 16; ++k) {
      record.a.push_back(number());
      record.b.push_back(number());
    }
    const float c =
        std::ldexp(1 + static_cast<float>(random() % 1000) / 1000, static_cast<int>(random() % 28));
    record.c = std::bit_cast<std::uint32_t>(
        signed_by_chance(random() % 3 == 0 ? c : std::trunc(random() % 3 == 0 ? 0 : c)));
    ASSERT_EQ(element(record, 0, 0, 0), element(record, 0, 0, infinite(record.type)))
        << "seed " << kSeed << ", product " << i;
  }
  Operands operands;  // whole, but the products are not numbers
  operands.a[2][3] = infinite(operands.type);
  EXPECT_EQ(product(operands)[2][5], 0x7fffffffu);
}

TEST(TensorProduct, AZeroDoesNotRaiseThePower) {
  const TensorRecord record{.type = TensorType::bf16,
                            .a = {0, 0x3f80},
                            .b = {0x7f00, 0x3f80},  // 0 times 2^127, and 1
                            .c = 0x40000000,
                            .d = 0x40400000};
  EXPECT_EQ(element(record, 0, 0, 0), record.d);
  EXPECT_EQ(element(record, 0, 0, infinite(record.type)), record.d);
}

TEST(TensorProduct, HasNanWhereItsRowColumnOrSumHas) {
  const std::uint32_t nan = 0x7fc0;
  Operands operands;
  for (auto& row : operands.a) row.fill(0x3f80);
  for (auto& column : operands.b) column.fill(0x4000);
  const auto all = product(operands);
  operands.a[3][9] = nan;
  operands.b[5][0] = nan;
  operands.c[10][2] = nan << 16;
  operands.a[12][1] = 0x7f80;  // infinite
  const auto result = product(operands);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      const bool is_nan = i == 3 || j == 5 || (i == 10 && j == 2);
      const std::uint32_t right = i == 12 ? 0x7f800000 : all[i][j];
      EXPECT_EQ(result[i][j], is_nan ? 0x7fffffff : right) << i << ' ' << j;
    }
  }
}

TEST(TensorProduct, IsExactForIntegers) {
  Operands operands;
  const auto bf16 = [](int value) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
  };
  const auto a = [](std::size_t i, std::size_t k) { return static_cast<int>(i * 7 + k) % 19 - 9; };
  const auto b = [](std::size_t k, std::size_t j) { return static_cast<int>(k * 5 + j) % 17 - 8; };
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t k = 0; k < 16; ++k) operands.a[i][k] = bf16(a(i, k));
    for (std::size_t j = 0; j < 8; ++j)
      operands.c[i][j] = std::bit_cast<std::uint32_t>(static_cast<float>(i * 100 + j));
  }
  for (std::size_t j = 0; j < 8; ++j) {
    for (std::size_t k = 0; k < 16; ++k) operands.b[j][k] = bf16(b(k, j));
  }
  const auto result = product(operands);
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      int sum = static_cast<int>(i * 100 + j);
      for (std::size_t k = 0; k < 16; ++k) sum += a(i, k) * b(k, j);
      EXPECT_EQ(std::bit_cast<float>(result[i][j]), static_cast<float>(sum)) << i << ' ' << j;
    }
  }
}

TEST(TensorProduct, CutsWhatIsFarBelowTheLargestAddend) {
  Operands operands;
  operands.a[0][0] = 0x3f80;  // 1
  operands.b[0][0] = 0x3f80;
  const auto with = [&](float c) {
    operands.c[0][0] = std::bit_cast<std::uint32_t>(c);
    return std::bit_cast<float>(product(operands)[0][0]);
  };
  EXPECT_EQ(with(0x1p-23f), 1 + 0x1p-23f);
  EXPECT_EQ(with(0x1.8p-23f), 1 + 0x1p-23f);  // cut, where rounding would go up
  EXPECT_EQ(with(-0x1p-25f), 1 - 0x1p-24f);   // one of the two bits that are kept
  EXPECT_EQ(with(-0x1p-26f), 1.0f);
  EXPECT_EQ(with(0x1p24f), 0x1p24f);
  EXPECT_EQ(with(-1), 0.0f);
}

}  // namespace
}  // namespace tessera::test
