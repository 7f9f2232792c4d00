#include "grader/simulator/exec/prepared_fragments.h"

#include <gtest/gtest.h>

#include <array>

namespace tessera::test {
namespace {

using sim::TensorColumns;
using sim::TensorType;
using Prepared = sim::PreparedFragments<TensorColumns, 2>;
using Register = std::array<std::uint32_t, sim::kLanes>;

/// Registers that are filled into a factor as they are, one a row; the number of fillings.
struct Filled {
  std::array<Register, 2> registers{};
  Prepared prepared;
  int count = 0;

  const TensorColumns& get(const Prepared::Form& form, std::size_t used) {
    const std::array<const std::uint32_t*, 2> lanes{registers[0].data(), registers[1].data()};
    return prepared.get(form, std::span(lanes).first(used), [&](TensorColumns& columns) {
      ++count;
      for (std::size_t r = 0; r < used; ++r)
        std::copy_n(registers[r].begin(), columns.bits[r].size(), columns.bits[r].begin());
    });
  }
};

constexpr Prepared::Form kWide{TensorType::bf16, 16, 0};

TEST(PreparedFragments, AreMadeAgainWhenARegisterChanges) {
  Filled filled;
  filled.registers[1][3] = 0x3f80;  // 1
  EXPECT_EQ(filled.get(kWide, 2).value[1][3], 1);
  EXPECT_EQ(filled.get(kWide, 2).value[1][3], 1);
  EXPECT_EQ(filled.count, 1);
  filled.registers[1][3] = 0x4000;  // 2
  EXPECT_EQ(filled.get(kWide, 2).value[1][3], 2);
  EXPECT_EQ(filled.count, 2);
  filled.registers[1][31] = 1;  // the last lane
  filled.get(kWide, 2);
  EXPECT_EQ(filled.count, 3);
}

TEST(PreparedFragments, OfAnotherFormHoldNothingOfTheOneBefore) {
  Filled filled;
  filled.registers[1][3] = 0x3f80;
  filled.get(kWide, 2);
  const TensorColumns& narrow = filled.get({TensorType::bf16, 8, 0}, 1);
  EXPECT_EQ(narrow.bits[1][3], 0);
  EXPECT_EQ(narrow.value[1][3], 0);
  filled.get({TensorType::f16, 8, 0}, 1);
  filled.get({TensorType::f16, 8, 0x8000}, 1);
  EXPECT_EQ(filled.count, 4);
}

TEST(PreparedFragments, AreKeptForSeveralRegisters) {
  Prepared prepared;
  std::array<Register, 40> registers{};
  int count = 0;
  const auto get = [&](std::size_t at) {
    registers[at][0] = static_cast<std::uint32_t>(at);
    const std::array<const std::uint32_t*, 1> lanes{registers[at].data()};
    return prepared
        .get(kWide, lanes,
             [&](TensorColumns& columns) {
               ++count;
               columns.bits[0][0] = registers[at][0];
             })
        .bits[0][0];
  };
  for (int round = 0; round < 3; ++round) {
    for (std::size_t at = 0; at < 4; ++at) EXPECT_EQ(get(at), at);
  }
  EXPECT_EQ(count, 4);
  for (std::size_t at = 0; at < registers.size(); ++at) EXPECT_EQ(get(at), at);
  for (std::size_t at = 0; at < registers.size(); ++at) EXPECT_EQ(get(at), at);
}

}  // namespace
}  // namespace tessera::test
