#include "common/expected.h"

#include <gtest/gtest.h>

#include <memory>

namespace tessera {
namespace {

TEST(Error, NamesFileLineAndColumn) {
  const Error error{.file = "lab.yaml", .line = 3, .column = 7, .message = "unknown key 'tile'"};
  EXPECT_EQ(error.str(), "lab.yaml:3:7: unknown key 'tile'");
}

TEST(Error, LeavesOutWhatIsUnknown) {
  EXPECT_EQ((Error{.file = "a.npy", .message = "is short"}.str()), "a.npy: is short");
  EXPECT_EQ((Error{.file = "a.yaml", .line = 2, .message = "is wrong"}.str()),
            "a.yaml:2: is wrong");
  EXPECT_EQ((Error{.line = 2, .message = "is wrong"}.str()), "line 2: is wrong");
  EXPECT_EQ((Error{.message = "is wrong"}.str()), "is wrong");
}

TEST(Expected, HoldsAValueOrAnError) {
  const Expected<int> value = 5;
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 5);
  EXPECT_THROW((void)value.error(), std::bad_variant_access);

  const Expected<int> error = Error{.message = "no"};
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().message, "no");
  EXPECT_THROW((void)error.value(), std::bad_variant_access);
}

TEST(Expected, AValueThatCanOnlyMoveCanBeMovedOut) {
  Expected<std::unique_ptr<int>> expected = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = *std::move(expected);
  EXPECT_EQ(*taken, 7);
}

}  // namespace
}  // namespace tessera
