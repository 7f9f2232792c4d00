#include "common/numbers.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Numbers, AreGroupedByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(2031), "2,031");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(Numbers, CountThingsInSingularAndPlural) {
  EXPECT_EQ(counted(1, "element"), "1 element");
  EXPECT_EQ(counted(3072, "element"), "3,072 elements");
}

TEST(Numbers, AreAsShortAsTheyCanBe) {
  EXPECT_EQ(short_number(4), "4");
  EXPECT_EQ(short_number(4.5), "4.5");
  EXPECT_EQ(short_number(1234567), "1,234,567");
  EXPECT_EQ(short_number(1.0 / 3), "0.3333");
}

TEST(Durations, AreWrittenAsPeopleSayThem) {
  EXPECT_EQ(duration_text(3.2), "3 s");
  EXPECT_EQ(duration_text(130), "2 min 10 s");
  EXPECT_EQ(duration_text(3900), "1 h 05 min");
}

}  // namespace
}  // namespace tessera
