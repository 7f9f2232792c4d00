#include "grader/gradebook/intake/names.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

constexpr const char* kEmoji = "\xf0\x9f\x98\x80";

TEST(Utf8Name, KeepsWhatIsUtf8) {
  for (const char* name : {"kernel.cu", "übung.cu", kEmoji, "=cmd|'\"\n", ""}) {
    EXPECT_EQ(utf8_name(name), name);
  }
}

TEST(Utf8Name, EscapesOtherBytes) {
  EXPECT_EQ(utf8_name("f\xfcr.cu"), "f%FCr.cu");
  EXPECT_EQ(utf8_name("\xc3"), "%C3");
  EXPECT_EQ(utf8_name("f%FCr.cu"), "f%25FCr.cu");
  EXPECT_EQ(utf8_name("f%25FCr.cu"), "f%2525FCr.cu");
  EXPECT_EQ(utf8_name("50% 7%20%41%f0%F"), "50% 7%20%41%f0%F");
  EXPECT_EQ(utf8_name("\xc0\xaf"), "%C0%AF") << "a long form of '/'";
  EXPECT_EQ(utf8_name("\xe0\x80\xaf"), "%E0%80%AF");
  EXPECT_EQ(utf8_name("\xed\xa0\x80"), "%ED%A0%80") << "a surrogate";
}

TEST(PrintableName, HasNoControlCharacters) {
  EXPECT_EQ(printable_name("a\nb\x1b[31m\x7f"), "a?b?[31m?");
  EXPECT_EQ(printable_name("uc.\xe2\x80\xaelenrek"), "uc.?lenrek");
  EXPECT_EQ(printable_name("f\xfcr"), "f%FCr");
  EXPECT_EQ(printable_name(kEmoji), kEmoji);
}

TEST(PrintableName, ShortensALongOne) {
  const std::string name = printable_name(std::string(50'000, 'a') + ".cu");
  EXPECT_LT(name.size(), 200u);
  EXPECT_TRUE(name.ends_with("a.cu"));
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "ü";
  EXPECT_EQ(utf8_name(printable_name(wide)), printable_name(wide));
}

TEST(Folded, IgnoresLetterCaseOfAllLetters) {
  EXPECT_EQ(folded("Kernel.CU"), "kernel.cu");
  EXPECT_EQ(folded("ÜBUNG"), folded("übung"));
  EXPECT_EQ(folded("\xff"), "\xff");
}

TEST(NaturalLess, CountsNumbersAsNumbers) {
  EXPECT_TRUE(natural_less("a_2_k", "a_10_k"));
  EXPECT_FALSE(natural_less("a_10_k", "a_2_k"));
  EXPECT_TRUE(natural_less("a", "b1"));
  EXPECT_TRUE(natural_less("a", "a1"));
  EXPECT_TRUE(natural_less("123456789012345678901", "123456789012345678902"));
}

TEST(NaturalLess, DistinguishesLeadingZeros) {
  EXPECT_NE(natural_less("a01", "a1"), natural_less("a1", "a01"));
  EXPECT_FALSE(natural_less("a1", "a1"));
}

TEST(SystemName, IsOfAFileThatNoPersonWrote) {
  for (const char* name : {"__MACOSX", ".DS_Store", "._kernel.cu", ".git"}) {
    EXPECT_TRUE(is_system_name(name)) << name;
  }
  for (const char* name : {"kernel.cu", ".hidden.cu", "git"}) {
    EXPECT_FALSE(is_system_name(name)) << name;
  }
}

}  // namespace
}  // namespace tessera
