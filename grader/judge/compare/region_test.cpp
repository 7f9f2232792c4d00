#include "grader/judge/compare/region.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

std::string described(int height, int width, auto predicate) {
  Region region(height, width);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      if (predicate(row, column)) region.add(row, column);
    }
  }
  return region.describe();
}

TEST(Region, CountsAnElementOnce) {
  Region region(4, 4);
  region.add(1, 2);
  region.add(1, 2);
  EXPECT_EQ(region.count(), 1u);
  EXPECT_TRUE(region.contains(1, 2));
  EXPECT_FALSE(region.contains(2, 1));
}

TEST(Region, NamesWholeRowsAndColumns) {
  EXPECT_EQ(described(8, 9, [](int, int) { return true; }), "all of them");
  EXPECT_EQ(described(8, 9, [](int, int c) { return c >= 6; }), "the last 3 columns");
  EXPECT_EQ(described(8, 9, [](int, int c) { return c < 2; }), "the first 2 columns");
  EXPECT_EQ(described(32, 9, [](int r, int) { return r >= 16 && r <= 18; }), "rows 16 to 18");
  EXPECT_EQ(described(8, 9, [](int r, int) { return r == 7; }), "the last row");
  EXPECT_EQ(described(8, 9, [](int r, int) { return r == 0; }), "row 0");
  EXPECT_EQ(described(8, 9, [](int r, int c) { return r >= 6 || c == 8; }),
            "the last 2 rows and the last column");
}

TEST(Region, NamesPatterns) {
  EXPECT_EQ(described(8, 8, [](int r, int) { return r % 2 == 1; }),
            "every 2nd row from 1 on, 4 in all");
  EXPECT_EQ(described(9, 64, [](int, int c) { return c % 16 == 15; }),
            "every 16th column from 15 on, 4 in all");
  EXPECT_EQ(described(9, 9, [](int, int c) { return c == 1 || c == 2 || c == 6; }),
            "3 of the columns 1 to 6");
  EXPECT_EQ(described(5, 7, [](int r, int c) { return r == c; }), "the diagonal");
  EXPECT_EQ(described(5, 5, [](int r, int c) { return r != c; }), "all but the diagonal");
}

TEST(Region, NamesABoxOrTheExtentOfScatteredElements) {
  EXPECT_EQ(described(64, 48, [](int r, int c) { return r >= 16 && r < 32 && c < 16; }),
            "rows 16 to 31 within the first 16 columns");
  EXPECT_EQ(described(64, 48, [](int r, int c) { return r == 3 && c == 5; }), "row 3, column 5");
  EXPECT_EQ(
      described(64, 48, [](int r, int c) { return (r == 3 && c == 5) || (r == 9 && c == 1); }),
      "row 3, column 5; row 9, column 1");
  EXPECT_EQ(described(8, 8, [](int r, int c) { return r > 1 && c > 1 && r < c; }),
            "scattered over rows 2 to 6 within the last 5 columns");
}

TEST(Region, AVectorHasElements) {
  EXPECT_EQ(described(1, 100, [](int, int c) { return c == 0; }), "element 0");
  EXPECT_EQ(described(1, 100, [](int, int c) { return c >= 97; }), "the last 3 elements");
  EXPECT_EQ(described(1, 1, [](int, int) { return true; }), "all of them");
}

}  // namespace
}  // namespace tessera
