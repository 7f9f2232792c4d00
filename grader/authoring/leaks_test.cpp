#include "grader/authoring/leaks.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

const std::string kFirst = "float sum = A[row * k + p];";
const std::string kSecond = "sum = fmaf(sum, B[p * n], 0);";
const std::string kLongLine = "const unsigned int shared_bytes = 2 * block * sizeof(float);";

std::vector<Leak> leaks(const std::string& text, const std::string& skeleton = "") {
  SolutionText solution;
  solution.add_solution({kFirst, "}", kSecond, kLongLine});
  solution.add_skeleton(skeleton);
  return solution.found_in(text, "a.md");
}

TEST(Leaks, TwoNeighbouringLinesAreOne) {
  const auto found = leaks("text\n  " + kFirst + "\r\n\n}\n\t" + kSecond + "\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].sure);
  EXPECT_EQ(found[0].file, "a.md");
  EXPECT_EQ(found[0].line, 2);
  EXPECT_EQ(found[0].text, kFirst);
}

TEST(Leaks, OneShortLineMayBeChance) {
  EXPECT_TRUE(leaks(kFirst + "\nsomething else, quite different\n" + kSecond).empty());
}

TEST(Leaks, OneLongLineIsSuspicious) {
  const auto found = leaks("x\n" + kLongLine + "\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].sure);
  EXPECT_EQ(found[0].line, 2);
}

TEST(Leaks, WhatTheSkeletonHasIsNone) {
  const std::string given = kFirst + "\n" + kSecond + "\n" + kLongLine + "\n";
  EXPECT_TRUE(leaks(given, given).empty());
}

TEST(Leaks, LinesInAnotherOrderAreNone) {
  EXPECT_TRUE(leaks(kSecond + "\n" + kFirst + "\n").empty());
}

}  // namespace
}  // namespace tessera
