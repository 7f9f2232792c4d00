#include "common/rounding.h"

#include <gtest/gtest.h>

#include <limits>

namespace tessera {
namespace {

TEST(RoundTo, KeepsElevenBitsForHalf) {
  EXPECT_EQ(round_to(2048, kHalf), 2048);
  EXPECT_EQ(round_to(2049, kHalf), 2048);  // a tie goes to the even neighbour
  EXPECT_EQ(round_to(2051, kHalf), 2052);
  EXPECT_EQ(round_to(-2050.9, kHalf), -2050);
}

TEST(RoundTo, IsWhatAFloatHolds) {
  for (const double value : {0.1, -1.0 / 3, 16777217.0, 3e-39, 1e-45, 6.5e37})
    EXPECT_EQ(round_to(value, kFloat), static_cast<double>(static_cast<float>(value))) << value;
}

TEST(RoundTo, SpacesSubnormalsEvenly) {
  EXPECT_EQ(round_to(0x1.8p-24, kHalf), 0x1p-23);
  EXPECT_EQ(round_to(0x1p-26, kHalf), 0);
}

TEST(RoundTo, LeavesWhatHasNoNeighbours) {
  EXPECT_EQ(round_to(0, kHalf), 0);
  EXPECT_EQ(round_to(std::numeric_limits<double>::infinity(), kTf32),
            std::numeric_limits<double>::infinity());
}

TEST(RoundTo, GoesWhereItIsSent) {
  EXPECT_EQ(round_to(2051, kHalf, Rounding::zero), 2050);
  EXPECT_EQ(round_to(-2051.9, kHalf, Rounding::zero), -2050);
  EXPECT_EQ(round_to(259, kBfloat16, Rounding::zero), 258);
  EXPECT_EQ(round_to(-2051, kHalf, Rounding::down), -2052);
  EXPECT_EQ(round_to(2051, kHalf, Rounding::down), 2050);
  EXPECT_EQ(round_to(-2051, kHalf, Rounding::up), -2050);
  EXPECT_EQ(round_to(2051, kHalf, Rounding::up), 2052);
  EXPECT_EQ(round_to(2049, kHalf), 2048);
  EXPECT_EQ(round_to(2049, kHalf, Rounding::nearest_away), 2050);
  EXPECT_EQ(round_to(-2049, kHalf, Rounding::nearest_away), -2050);
}

}  // namespace
}  // namespace tessera
