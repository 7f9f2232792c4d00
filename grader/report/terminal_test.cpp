#include "grader/report/terminal.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Printable, DisarmsEscapeSequences) {
  EXPECT_EQ(printable("\x1b[31mred\r\x07"), "?[31mred??");
  EXPECT_EQ(printable("a\tb\nc"), "a    b\nc");
  EXPECT_EQ(printable("\xff ok \xc3"), "? ok ?");
  EXPECT_EQ(printable("\xe2\x80\xae"), "?");
  EXPECT_EQ(printable("행렬 × 2"), "행렬 × 2");
}

TEST(DisplayWidth, CountsWideCharactersTwice) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("×"), 1);
  EXPECT_EQ(display_width("행렬"), 4);
  EXPECT_EQ(prefix_of_width("행렬ab", 3), "행");
  EXPECT_EQ(prefix_of_width("abc", 9), "abc");
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
}

TEST(Wrapped, IndentsWhatFollows) {
  EXPECT_EQ(wrapped("one two three four", "hint: ", 15),
            "hint: one two\n      three\n      four\n");
  EXPECT_EQ(wrapped("", "- ", 10), "- \n");
  EXPECT_EQ(wrapped("a  b\nc", "", 10), "a b c\n");
  EXPECT_EQ(wrapped("averyveryverylongword x", "", 10), "averyveryverylongword\nx\n");
}

TEST(Painted, IsPlainWhereColoursAreOff) {
  EXPECT_EQ(painted("x", Color::red, false), "x");
  EXPECT_EQ(painted("x", Color::red, true), "\x1b[31mx\x1b[0m");
}

}  // namespace
}  // namespace tessera
