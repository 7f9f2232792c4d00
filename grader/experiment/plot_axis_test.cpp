#include "grader/experiment/plot_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tessera {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(double low, double high) {
  std::vector<std::string> labels;
  for (const AxisTick& tick : logarithmic_ticks(low, high)) labels.push_back(tick.label);
  return labels;
}

TEST(AxisUnit, IsThatOfTheLargestNumber) {
  EXPECT_EQ(axis_unit(0).word, "");
  EXPECT_EQ(axis_unit(19'999).word, "");
  EXPECT_EQ(axis_unit(35'000).word, "thousands");
  EXPECT_EQ(axis_unit(3'968'000).word, "millions");
  EXPECT_EQ(axis_unit(3'968'000).size, 1e6);
  EXPECT_EQ(axis_unit(7e12).word, "billions");
}

TEST(LogarithmicTicks, OfAShortAxisAreOneTwoAndFive) {
  EXPECT_THAT(labels(0.97, 12.5), ElementsAre("0.5", "1", "2", "5", "10", "20"));
  EXPECT_THAT(labels(20.7, 311), ElementsAre("20", "50", "100", "200", "500"));
}

TEST(LogarithmicTicks, OfALongAxisArePowersOfTen) {
  EXPECT_THAT(labels(0.0021, 5650),
              ElementsAre("0.001", "0.01", "0.1", "1", "10", "100", "1000", "10000"));
}

TEST(LogarithmicTicks, OfLargeNumbersHavePrefixes) {
  EXPECT_THAT(labels(512, 4.1e6), ElementsAre("100", "1 k", "10 k", "100 k", "1 M", "10 M"));
  EXPECT_THAT(labels(1.6e6, 2.4e6), ElementsAre("1 M", "2 M", "5 M"));
}

TEST(LogarithmicTicks, IncludeBothEndsOfTheRange) {
  EXPECT_THAT(labels(1, 100), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
  EXPECT_THAT(labels(2, 2), ElementsAre("2", "5"));
  EXPECT_THAT(labels(0.001, 1000), ElementsAre("0.001", "0.01", "0.1", "1", "10", "100", "1000"));
}

TEST(LogarithmicTicks, AreDistinctForEveryRange) {
  for (double low = 1e-7; low < 1e12; low *= 1.7) {
    for (double ratio = 1; ratio < 1e9; ratio *= 2.9) {
      const std::vector<AxisTick> ticks = logarithmic_ticks(low, low * ratio);
      std::set<std::string> different;
      for (const AxisTick& tick : ticks) different.insert(tick.label);
      EXPECT_EQ(different.size(), ticks.size()) << low << " to " << low * ratio;
      EXPECT_GE(ticks.size(), 2u);
      EXPECT_LE(ticks.front().at, low);
      EXPECT_GE(ticks.back().at, low * ratio);
    }
  }
}

}  // namespace
}  // namespace tessera
