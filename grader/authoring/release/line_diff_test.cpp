#include "grader/authoring/release/line_diff.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(LineDiff, EqualTextsDifferInNothing) {
  EXPECT_EQ(line_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(line_diff("a\nb\n", "a\r\nb\r\n"), "");
}

TEST(LineDiff, SaysWhatWentAndWhatCame) {
  EXPECT_EQ(line_diff("a\nb\nc\n", "a\nx\nc\nd\n"), "-2    b\n+2    x\n+4    d\n");
}

TEST(LineDiff, FromNothingEverythingIsNew) {
  EXPECT_EQ(line_diff("", "a\nb\n"), "+1    a\n+2    b\n");
}

TEST(LineDiff, LinesThatMovedAreRemovedAndAdded) {
  EXPECT_EQ(line_diff("a\nb\n", "b\na\n"), "-1    a\n+2    a\n");
}

}  // namespace
}  // namespace tessera
