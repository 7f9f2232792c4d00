#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/utf8.h"
#include "grader/gradebook/export/mark_text.h"
#include "grader/gradebook/export/test_class.h"
#include "grader/gradebook/intake/csv.h"

namespace tessera {
namespace {

using CsvExport = ExportTest;
using JsonExport = ExportTest;

/// Whether `text` has no control character but line feeds and no direction override.
bool all_can_be_seen(std::string_view text) {
  bool all = true;
  for_each_character(text, [&](const std::optional<Utf8Character>& c, std::string_view bytes) {
    all = all && c && (bytes == "\n" || !is_invisible(c->value));
  });
  return all;
}

TEST_F(CsvExport, HasOneRowAStudentAndLab) {
  add_class();
  EXPECT_EQ(
      written({}).text,
      "assignment,due date,timestamp,student id,last name,first name,email,raw score,late penalty,"
      "score,maximum,status,adjustment,deferred,review,flags,note\n"
      "03-tiled,2026-10-01T22:00:00Z,2026-10-01T21:00:00Z,s001,Doe,Jane,jane@example.edu,70,0,70,"
      "90,"
      "graded,0,20,0,,\n"
      "03-tiled,2026-10-01T22:00:00Z,2026-10-01T21:00:00Z,alee,Lee,Ann,,,,,90,infra,0,,,,the "
      "grader "
      "failed; grade again\n"
      "03-tiled,2026-10-01T22:00:00Z,,bpoe,Poe,Bob,,,,,90,missing,0,,,,\n"
      "03-tiled,2026-10-01T22:00:00Z,2026-10-02T10:00:00Z,s002,Roe,Max,,30,9,21,90,graded,0,0,0,"
      "late,"
      "\n"
      "03-tiled,2026-10-01T22:00:00Z,2026-10-01T20:00:00Z,ezoe,Zoe,Eve,,,,0,90,ungradable,0,,,,"
      "kernel.txt: rename it to kernel.cu\n");
}

TEST_F(CsvExport, AnInvisibleCharacterIsAQuestionMark) {
  add_second_lab();
  add({.name = "Doe\x1b[2J, \xe2\x80\xaeJane",
       .email = "j\xc2\x9b@x.edu",
       .login = "j\x7f"
                "doe"});
  const std::string text = written({}).text;
  EXPECT_NE(text.find(",j?doe,Doe?[2J,?Jane,j?@x.edu,"), text.npos) << text;
  EXPECT_TRUE(all_can_be_seen(text));
}

TEST_F(JsonExport, EscapesInvisibleCharacters) {
  add_class();
  const std::string name = "Doe\x7f\xe2\x80\xae\xc2\x9b, Zo\xc3\xab";
  add({.name = name});
  ExportRequest request;
  request.format = ExportFormat::json;
  const std::string text = written(request).text;
  EXPECT_TRUE(all_can_be_seen(text));
  EXPECT_NE(text.find("\"Doe\\u007f\\u202e\\u009b, Zo\xc3\xab\""), text.npos);
  const auto json = nlohmann::json::parse(text);
  EXPECT_TRUE(std::ranges::any_of(
      json["marks"], [&](const auto& mark) { return mark["student"]["name"] == name; }));
}

TEST_F(CsvExport, FlagsWhatLacksItsPenalty) {
  const RowId kim = add_late_by_an_unknown_time();
  EXPECT_EQ((*read_csv(written({}).text, ""))[1][15], "late penalty-unknown");
  set_late_days(kim, 2);
  const auto row = (*read_csv(written({}).text, ""))[1];
  EXPECT_EQ(row[15], "late");
  EXPECT_EQ(row[8], "18");
  EXPECT_EQ(row[16], "counted as 2 days late by ta: came on Saturday");
}

TEST_F(CsvExport, TextOfAStudentIsNoFormula) {
  add({.name = "=HYPERLINK(\"http://x\"), @A", .email = "+1@example.edu", .login = "-x"});
  const auto rows = *read_csv(written({}).text, "");
  EXPECT_EQ(rows[1][3], "'-x");
  EXPECT_EQ(rows[1][4], "'=HYPERLINK(\"http://x\")");
  EXPECT_EQ(rows[1][5], "'@A");
  EXPECT_EQ(rows[1][6], "'+1@example.edu");
}

TEST_F(CsvExport, OneLabAlone) {
  add_second_lab();
  add_class();
  EXPECT_EQ(read_csv(written({}).text, "")->size(), 11u);
  ExportRequest single;
  single.lab = "01-naive";
  EXPECT_EQ(read_csv(written(single).text, "")->size(), 6u);
  single.lab = "03-tild";
  EXPECT_EQ(exported(single).error().message,
            "the gradebook has no marks for lab 03-tild (did you mean '03-tiled'?)");
}

TEST_F(JsonExport, HasTheMarksWithTheirRecords) {
  add_class();
  ExportRequest request;
  request.format = ExportFormat::json;
  const std::string json = written(request).text;
  EXPECT_NE(json.find("\"schema\": \"tessera.marks/1\""), json.npos);
  EXPECT_NE(json.find("\"schema\": \"tessera.result/2\""), json.npos);
  EXPECT_NE(json.find("\"score\": null"), json.npos);
  EXPECT_NE(json.find("\"late_days\": null"), json.npos);
}

TEST(MarkText, SplitsNames) {
  EXPECT_EQ(split_name("Doe, Jane").first, "Jane");
  EXPECT_EQ(split_name("Doe, Jane").last, "Doe");
  EXPECT_EQ(split_name("Jane Q. Doe").first, "Jane Q.");
  EXPECT_EQ(split_name("Jane Q. Doe").last, "Doe");
  EXPECT_EQ(split_name("doejane").last, "doejane");
  EXPECT_EQ(split_name("Doe,").first, "");
  EXPECT_EQ(split_name("").last, "");
}

TEST(MarkText, PointsHaveNoNoise) {
  EXPECT_EQ(points_cell(87.5), "87.5");
  EXPECT_EQ(points_cell(50.0 / 3), "16.6667");
  EXPECT_EQ(points_cell(100), "100");
  EXPECT_EQ(points_cell(-1e-9), "0");
  EXPECT_EQ(points_cell(std::nullopt), "");
}

TEST(ExportFormats, EveryWordComesBack) {
  EXPECT_EQ(all_export_formats().size(), 10u);
  for (const ExportFormat format : all_export_formats())
    EXPECT_EQ(export_format(to_string(format)), format);
  EXPECT_FALSE(export_format("excel"));
}

}  // namespace
}  // namespace tessera
