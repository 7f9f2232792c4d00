#include "grader/gpu/assert_line.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(FailedAssert, IsFoundAmongOtherLines) {
  const auto found = failed_assert(
      "a warning\n"
      "kernel.cu:12: void k(int *, int): block: [3,0,0], thread: [5,1,0] Assertion `i < n` "
      "failed.\n"
      "kernel.cu:12: void k(int *, int): block: [3,0,0], thread: [6,1,0] Assertion `i < n` "
      "failed.\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file, "kernel.cu");
  EXPECT_EQ(found->line, 12);
  EXPECT_EQ(found->block, "[3,0,0]");
  EXPECT_EQ(found->thread, "[5,1,0]");
  EXPECT_EQ(found->condition, "i < n");
}

TEST(FailedAssert, OtherTextHasNone) {
  EXPECT_FALSE(failed_assert(""));
  EXPECT_FALSE(failed_assert("kernel.cu:12: Assertion failed\n"));
}

}  // namespace
}  // namespace tessera
