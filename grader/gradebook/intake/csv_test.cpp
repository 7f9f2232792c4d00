#include "grader/gradebook/intake/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/utf8.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::vector<std::string>> cells(std::string_view text) {
  return read_csv(text, "class.csv").value();
}

TEST(ReadCsv, GivesRowsOfCells) {
  EXPECT_THAT(cells("name,email\nJane,jane@x.edu\n"),
              ElementsAre(ElementsAre("name", "email"), ElementsAre("Jane", "jane@x.edu")));
}

TEST(ReadCsv, QuotesHoldCommasQuotesAndLineEnds) {
  EXPECT_THAT(cells("\"Doe, \"\"J\"\"\",\"two\nlines\""),
              ElementsAre(ElementsAre("Doe, \"J\"", "two\nlines")));
}

TEST(ReadCsv, DropsTheByteOrderMarkAndEmptyLines) {
  EXPECT_THAT(cells("\xef\xbb\xbf"
                    "a,b\r\n\r\nc\r\n"),
              ElementsAre(ElementsAre("a", "b"), ElementsAre("c")));
}

TEST(ReadCsv, BlanksBelongToTheirCell) {
  EXPECT_THAT(cells("    Points Possible,,100"),
              ElementsAre(ElementsAre("    Points Possible", "", "100")));
}

TEST(ReadCsv, GivesTheLineWhereARowStarts) {
  const auto rows = read_csv_rows("a\n\n\"b\nb\"\nc\n", "class.csv");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ((*rows)[1].line, 3);
  EXPECT_EQ((*rows)[2].line, 5);
}

TEST(ReadCsv, NamesTheLineOfUnbalancedQuotes) {
  const auto never_closed = read_csv("a\nb,\"c\nd\n", "class.csv");
  ASSERT_FALSE(never_closed);
  EXPECT_THAT(never_closed.error().str(), HasSubstr("class.csv:2: unbalanced quotes"));
  const auto inside = read_csv("a\nb\nc\"d\n", "class.csv");
  ASSERT_FALSE(inside);
  EXPECT_EQ(inside.error().line, 3);
}

TEST(ReadCsv, SaysThatThereIsNothing) {
  EXPECT_THAT(read_csv("", "class.csv").error().message, HasSubstr("no rows"));
  EXPECT_THAT(read_csv("\n\n", "class.csv").error().message, HasSubstr("no rows"));
}

TEST(ReadCsv, SaysHowToSaveUtf16) {
  EXPECT_THAT(read_csv("\xff\xfe", "class.csv").error().message, HasSubstr("CSV UTF-8"));
}

TEST(ReadCsv, TakesNulBytes) {
  EXPECT_THAT(cells(std::string_view("a\0b,c", 5)),
              ElementsAre(ElementsAre(std::string("a\0b", 3), "c")));
}

TEST(CsvRow, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(csv_row({"a", "", "b c"}), "a,,b c\n");
  EXPECT_EQ(csv_row({"Doe, Jane", "say \"hi\"", "two\nlines"}),
            "\"Doe, Jane\",\"say \"\"hi\"\"\",\"two\nlines\"\n");
}

TEST(CsvRow, IsReadBackAsItWas) {
  const std::vector<std::string> row = {"", " x ", "\"", ",", "\r\n", "\xf0\x9f\x98\x80"};
  EXPECT_THAT(cells(csv_row(row)), ElementsAre(row));
  EXPECT_THAT(cells(csv_row({""})), ElementsAre(ElementsAre("")));
}

TEST(GuardedCell, KeepsASpreadsheetFromRunningIt) {
  EXPECT_EQ(guarded_cell("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
  EXPECT_EQ(guarded_cell("+49 170"), "'+49 170");
  EXPECT_EQ(guarded_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(guarded_cell("-1+1"), "'-1+1");
  EXPECT_EQ(guarded_cell("\t=1"), "'\t'=1");
  EXPECT_EQ(guarded_cell("\tJane"), "'\tJane");
  EXPECT_EQ(guarded_cell("\nJane"), "'\nJane");
  EXPECT_EQ(guarded_cell("\r=1"), "?=1");
}

TEST(GuardedCell, LooksBehindBlanksAndQuotes) {
  EXPECT_EQ(guarded_cell(" =1"), "' =1");
  EXPECT_EQ(guarded_cell("\xc2\xa0=1"), "'\xc2\xa0=1");
  EXPECT_EQ(guarded_cell("\xe3\x80\x80+1+1"), "'\xe3\x80\x80+1+1");
  EXPECT_EQ(guarded_cell("\xe2\x80\x8b@SUM(A1)"), "?@SUM(A1)");
  EXPECT_EQ(guarded_cell("\xef\xbb\xbf=1"), "?=1");
  EXPECT_EQ(guarded_cell("\"=1"), "'\"=1");
}

TEST(GuardedCell, KnowsWideAndSmallSigns) {
  EXPECT_EQ(guarded_cell("\xef\xbc\x9d"
                         "1"),
            "'\xef\xbc\x9d"
            "1");
  EXPECT_EQ(guarded_cell("\xef\xbc\x8b"
                         "1"),
            "'\xef\xbc\x8b"
            "1");
  EXPECT_EQ(guarded_cell("\xef\xbc\x8d"
                         "1"),
            "'\xef\xbc\x8d"
            "1");
  EXPECT_EQ(guarded_cell("\xef\xbc\xa0"
                         "1"),
            "'\xef\xbc\xa0"
            "1");
  EXPECT_EQ(guarded_cell("\xef\xb9\xa6"
                         "1"),
            "'\xef\xb9\xa6"
            "1");
}

std::string utf8(char32_t c) {
  std::string text;
  if (c < 0x800) {
    text += static_cast<char>(0xc0 | c >> 6);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xe0 | c >> 12);
  } else {
    text += static_cast<char>(0xf0 | c >> 18);
    text += static_cast<char>(0x80 | (c >> 12 & 0x3f));
  }
  if (c >= 0x800) text += static_cast<char>(0x80 | (c >> 6 & 0x3f));
  return text + static_cast<char>(0x80 | (c & 0x3f));
}

TEST(GuardedCell, WhatCannotBeSeenHidesNoFormula) {
  std::vector<char32_t> unseen = {0xad,   0x34f,  0x61c,   0x115f,  0x1160, 0x17b4,
                                  0x17b5, 0x180e, 0x2800,  0x3164,  0xfe0f, 0xfeff,
                                  0xffa0, 0xfffc, 0xe0020, 0xe0100, 0x1d159};
  for (char32_t c = 0x200b; c <= 0x200f; ++c) unseen.push_back(c);
  for (char32_t c = 0x2060; c <= 0x2064; ++c) unseen.push_back(c);
  for (const char32_t c : unseen) {
    for (const char* formula : {"=1", "+1+1", "-1+1", "@A1"}) {
      const std::string cell = utf8(c) + formula;
      const std::string guarded = is_invisible(c) ? std::string("?") + formula : "'" + cell;
      EXPECT_EQ(guarded_cell(cell), guarded) << "U+" << std::hex << std::uint32_t{c};
    }
  }
}

TEST(GuardedCell, GuardsEverySignThatIsNotKnownToBeHarmless) {
  for (const char32_t sign : {0xfe5f, 0xff03, 0xff1d, 0xff0b, 0xff0d, 0xff20, 0xfe62, 0x2212,
                              0x207a, 0x2795, 0x2010, 0x2e40, 0x1f7f0}) {
    const std::string cell = utf8(sign) + "A1";
    EXPECT_EQ(guarded_cell(cell), "'" + cell) << "U+" << std::hex << std::uint32_t{sign};
  }
  EXPECT_EQ(guarded_cell("|cmd"), "'|cmd");
  EXPECT_EQ(guarded_cell("%0A=1"), "'%0A=1");
  EXPECT_EQ(guarded_cell("-nan(A1)"), "'-nan(A1)");
  EXPECT_EQ(guarded_cell("\xff=1"), "'%FF=1");
}

TEST(GuardedCell, SplitsAtEverySemicolon) {
  for (const char32_t semicolon : {0x37e, 0x61b, 0xfe14, 0xfe54, 0xff1b}) {
    EXPECT_EQ(guarded_cell("Jane" + utf8(semicolon) + "=1"), "Jane" + utf8(semicolon) + "'=1");
    EXPECT_EQ(guarded_cell(utf8(semicolon) + "=1"), "'" + utf8(semicolon) + "'=1");
  }
}

TEST(GuardedCell, LeavesNamesAlone) {
  for (const char* name :
       {"Jane Doe", "Doe, Jane", "\u00c5ngstr\u00f6m, \u00c9va", "M\u00fcller-L\u00fcdenscheidt",
        "\u738b\u5c0f\u660e", "\u738b-\u674e", "\u05d3\u05d5\u05d3", "\u0645\u062d\u0645\u062f",
        "\u0395\u03bb\u03ad\u03bd\u03b7 \u03a0-\u0393", "\uae40\ubbfc\uc218", "'t Hooft, Gerard",
        "(guest)", "3rd", "_underscore", " Jane", "two parts; the second", "jane@x.edu"}) {
    EXPECT_EQ(guarded_cell(name), name);
  }
}

TEST(GuardedCell, GuardsWhatASpreadsheetSplitsOff) {
  EXPECT_EQ(guarded_cell("Jane;=cmd|' /C calc'!A0"), "Jane;'=cmd|' /C calc'!A0");
  EXPECT_EQ(guarded_cell("Jane; \"=1"), "Jane;' \"=1");
  EXPECT_EQ(guarded_cell("Jane\t+1+1"), "Jane\t'+1+1");
  EXPECT_EQ(guarded_cell("Jane\n@A1\n-1+1"), "Jane\n'@A1\n'-1+1");
  EXPECT_EQ(guarded_cell("Jane;-2.5;Doe"), "Jane;-2.5;Doe");
  EXPECT_EQ(guarded_cell(";"), ";");
}

TEST(GuardedCell, IsReadBackAsItWas) {
  for (const char* text : {"Jane;=1", "\"=1", "\t=1", "a\n+b;\"c\"", ",=1"}) {
    const std::string guarded = guarded_cell(text);
    EXPECT_THAT(cells(csv_row({"x", guarded})), ElementsAre(ElementsAre("x", guarded)));
  }
}

TEST(GuardedCell, ShowsWhereSomethingCannotBeSeen) {
  EXPECT_EQ(guarded_cell("a\x1b[2J\rb"), "a?[2J?b");
  EXPECT_EQ(guarded_cell("\xe2\x80\xae"
                         "cod\xe2\x81\xa6.\xc2\x9b"
                         "1m"),
            "?cod?.?1m");
  EXPECT_EQ(guarded_cell("two\nlines\tZo\xc3\xab"), "two\nlines\tZo\xc3\xab");
}

TEST(GuardedCell, LeavesTextAndNumbersAlone) {
  EXPECT_EQ(guarded_cell("Jane = Doe"), "Jane = Doe");
  EXPECT_EQ(guarded_cell("-2.5"), "-2.5");
  EXPECT_EQ(guarded_cell(""), "");
}

}  // namespace
}  // namespace tessera
