#include "grader/gradebook/distribution.h"

#include <gmock/gmock.h>

namespace tessera {
namespace {

using testing::ElementsAre;

TEST(Distribution, NoValuesHaveNone) {
  EXPECT_FALSE(distribution_of({}));
}

TEST(Distribution, OneValueIsEverything) {
  const Distribution single = *distribution_of({70});
  EXPECT_EQ(single.count, 1);
  EXPECT_EQ(single.mean, 70);
  EXPECT_EQ(single.least, 70);
  EXPECT_EQ(single.lower_quartile, 70);
  EXPECT_EQ(single.median, 70);
  EXPECT_EQ(single.upper_quartile, 70);
  EXPECT_EQ(single.most, 70);
}

TEST(Distribution, QuartilesAreBetweenTheNearestValues) {
  const Distribution four = *distribution_of({40, 10, 30, 20});
  EXPECT_EQ(four.count, 4);
  EXPECT_EQ(four.mean, 25);
  EXPECT_EQ(four.least, 10);
  EXPECT_DOUBLE_EQ(four.lower_quartile, 17.5);
  EXPECT_DOUBLE_EQ(four.median, 25);
  EXPECT_DOUBLE_EQ(four.upper_quartile, 32.5);
  EXPECT_EQ(four.most, 40);
}

TEST(Histogram, ABorderCountsAboveIt) {
  EXPECT_THAT(histogram({0, 24.9, 25, 50, 74, 75, 99}, 100, 4), ElementsAre(2, 1, 2, 2));
}

TEST(Histogram, FullPointsAndMoreAreInTheLastPart) {
  EXPECT_THAT(histogram({100, 105, -1}, 100, 2), ElementsAre(1, 2));
}

TEST(Histogram, AShareThatRoundingPutBelowABorderIsOnIt) {
  EXPECT_THAT(histogram({0.1 + 0.1 + 0.1, 0.7 - 1e-15}, 1, 10),
              ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0, 0));
}

TEST(Histogram, NoValuesAreEmptyParts) {
  EXPECT_THAT(histogram({}, 100, 3), ElementsAre(0, 0, 0));
}

}  // namespace
}  // namespace tessera
