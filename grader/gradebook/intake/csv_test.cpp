#include "grader/gradebook/intake/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(ReadCsv, TellsTheLineWhereARowStarts) {
  const auto rows = read_csv_rows("a\n\n\"b\nb\"\nc\n", "class.csv");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ((*rows)[1].line, 3);
  EXPECT_EQ((*rows)[2].line, 5);
}

TEST(ReadCsv, TellsTheLineOfUnbalancedQuotes) {
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
  EXPECT_EQ(guarded_cell("\xe2\x80\x8b@SUM(A1)"), "'\xe2\x80\x8b@SUM(A1)");
  EXPECT_EQ(guarded_cell("\xef\xbb\xbf=1"), "'\xef\xbb\xbf=1");
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
