// Imports the table as Canvas does, which knows people by ID, then SIS User ID, then SIS Login ID,
// then name, and assignments by the number in `Title (number)`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "grader/gradebook/export/test_class.h"
#include "grader/gradebook/intake/csv.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Row = std::vector<std::string>;

struct CanvasUser {
  std::string id, sis_id, login, name;
};

const std::vector<CanvasUser> kUsers = {{"1234", "s001", "jdoe", "Doe, Jane"},
                                        {"77", "s002", "mroe", "Roe, Max"},
                                        {"78", "", "alee", "Lee, Ann"},
                                        {"79", "", "", "Poe, Bob"},
                                        {"80", "", "ezoe", "Zoe, Eve"}};

/// The user whom the importer finds for the row, or null.
const CanvasUser* user_of(const Row& row) {
  const std::pair<std::string CanvasUser::*, std::size_t> keys[] = {{&CanvasUser::id, 1},
                                                                    {&CanvasUser::sis_id, 2},
                                                                    {&CanvasUser::login, 3},
                                                                    {&CanvasUser::name, 0}};
  for (const auto& [key, cell] : keys) {
    const auto user = std::ranges::find(kUsers, row[cell], key);
    if (!row[cell].empty() && user != kUsers.end()) return &*user;
  }
  return nullptr;
}

/// The scores that the importer would set for the assignment in the sixth column, by the user's
/// name.
std::map<std::string, std::string> imported(const std::string& csv) {
  const std::vector<Row> table = *read_csv(csv, "canvas.csv");
  EXPECT_THAT(table[0],
              ElementsAre("Student", "ID", "SIS User ID", "SIS Login ID", "Section", testing::_));
  EXPECT_EQ(table[1][0], "    Points Possible");
  std::map<std::string, std::string> scores;
  for (std::size_t row = 2; row < table.size(); ++row) {
    if (const CanvasUser* user = user_of(table[row])) scores[user->name] = table[row].at(5);
  }
  return scores;
}

class CanvasExport : public ExportTest {
 protected:
  ExportRequest request(const std::string& csv = "", std::optional<std::string> lab = {}) const {
    ExportRequest request;
    request.format = ExportFormat::canvas;
    request.lab = lab;
    if (!csv.empty()) request.template_file = folder_.write("canvas.csv", csv);
    return request;
  }

  Exported filled(const std::string& csv, std::optional<std::string> lab = {}) const {
    return written(request(csv, lab));
  }
};

TEST_F(CanvasExport, ANewTableIsImported) {
  add_class();
  const std::string csv = written(request()).text;
  EXPECT_THAT(
      csv, testing::StartsWith("Student,ID,SIS User ID,SIS Login ID,Section,Tiled multiplication\n"
                               "    Points Possible,,,,,90\n"
                               "\"Doe, Jane\",1234,s001,jdoe,CS101-A,70\n"));
  EXPECT_EQ(imported(csv).at("Doe, Jane"), "70");
  EXPECT_EQ(imported(csv).at("Roe, Max"), "21");
}

TEST_F(CanvasExport, AnInfraResultIsABlankCell) {
  add_class();
  EXPECT_EQ(imported(written(request()).text).at("Lee, Ann"), "");
}

TEST_F(CanvasExport, NothingHandedInIsABlankCellAndAnUngradableFileIsZero) {
  add_class();
  const auto scores = imported(written(request()).text);
  EXPECT_EQ(scores.at("Poe, Bob"), "");
  EXPECT_EQ(scores.at("Zoe, Eve"), "0");
}

TEST_F(CanvasExport, PointsByHandForNothingHandedInAreAMark) {
  add_class();
  give_points_by_hand(bob_);
  EXPECT_EQ(imported(written(request()).text).at("Poe, Bob"), "5");
}

TEST_F(CanvasExport, AnUnknownIdStaysBlank) {
  add({.name = "Roe, Max", .sis_id = "1234"});
  add({.name = "Anon", .canvas_id = "anon_x1"});
  const std::vector<Row> table = *read_csv(written(request()).text, "");
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(table[2][1], "");
  EXPECT_EQ(table[3][1], "");
}

constexpr const char* kTemplate =
    "\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,Essay (11),Lab 3 (45678),Total\r\n"
    "    Points Possible,,,,,10,90,(read only)\r\n"
    "\"Roe, Max\",77,s002,mroe,\"CS101-B\",8,12,9\r\n"
    "\"Doe, Jane\",1234,,,CS101-A,9,,1\r\n"
    "Ann Lee,78,,,CS101-A,,,\r\n"
    "\"Zoe, Eve\",80,,EZOE,CS101-A,,EX,\r\n"
    "\"Moe, Kim\",81,,,CS101-A,\"7\",5,\r\n"
    "\"Student, Test\",82,,,CS101-A,,,\r\n";

TEST_F(CanvasExport, TheTeachersTableKeepsRowsAndColumns) {
  add_class();
  EXPECT_EQ(
      filled(kTemplate).text,
      "\xef\xbb\xbfStudent,ID,SIS User ID,SIS Login ID,Section,Essay (11),Lab 3 (45678),Total\r\n"
      "    Points Possible,,,,,10,90,(read only)\r\n"
      "\"Roe, Max\",77,s002,mroe,CS101-B,8,21,9\r\n"
      "\"Doe, Jane\",1234,,,CS101-A,9,70,1\r\n"
      "Ann Lee,78,,,CS101-A,,,\r\n"
      "\"Zoe, Eve\",80,,EZOE,CS101-A,,EX,\r\n"
      "\"Moe, Kim\",81,,,CS101-A,\"7\",5,\r\n"
      "\"Student, Test\",82,,,CS101-A,,,\r\n");
}

TEST_F(CanvasExport, SaysWhoIsNotInTheTemplateAndWhoIsNotInTheBook) {
  add_class();
  hand_in({bob_}, "won\n");
  EXPECT_THAT(
      filled(kTemplate).notes,
      ElementsAre("only in the template: Moe, Kim", "with marks, but not in the template: Poe, Bob",
                  HasSubstr("2 marks lack points that could not be measured"),
                  HasSubstr("1 mark is 0 because nothing that was handed in can be")));
}

TEST_F(CanvasExport, ANumberOfAnotherPersonIsNotMatchedByName) {
  hand_in({add({.name = "Doe, Jane", .canvas_id = "1"})}, "won\n");
  grade("won\n", won_record());
  const std::string start = "Student,ID,Lab 3 (4)\nPoints Possible,,90\n\"Doe, Jane\",2,\n";
  EXPECT_EQ(filled(start + "\"Doe, Jane\",1,\n").text, start + "\"Doe, Jane\",1,70\n");
}

TEST_F(CanvasExport, TwoOfOneNameAreNotGuessed) {
  hand_in({add({.name = "Doe, Jane", .login = "a"})}, "won\n");
  hand_in({add({.name = "Doe, Jane", .login = "b"})}, "won\n");
  grade("won\n", won_record());
  const std::string csv = "Student,ID,Lab 3 (4)\nPoints Possible,,90\n\"Doe, Jane\",9,\n";
  EXPECT_EQ(filled(csv).text, csv);
}

TEST_F(CanvasExport, ANameThatAnotherPersonTakesFillsNoRow) {
  // Jane has typed her number as s1001, and Eve calls herself Jane.
  hand_in({add({.name = "Jane Doe", .sis_id = "s1001"})}, "won\n");
  hand_in({add({.name = "Doe Jane?"})}, "lost\n");
  grade("won\n", won_record());
  grade("lost\n", failed_record());
  const std::string csv =
      "Student,ID,SIS User ID,Lab 3 (4)\nPoints Possible,,,90\n\"Doe, Jane\",501,1001,\n";
  EXPECT_EQ(filled(csv).text, csv);
}

TEST_F(CanvasExport, TheColumnIsFoundByIdTitleOrNumber) {
  add_class();
  for (const char* title :
       {"03-tiled", "Tiled Multiplication", "lab 03", "Lab 3", "Week 4: 03-tiled",
        "3. Tiled multiplication (GPU)", "03 Tiled", "03"}) {
    const std::string head = std::string("Student,ID,Essay (1),") + title + " (4)\n";
    const std::string text = filled(head + "Points Possible,,10,90\n\"Doe, Jane\",1234,,\n").text;
    EXPECT_THAT(text, HasSubstr("1234,,70")) << title;
  }
}

TEST_F(CanvasExport, AnUnclearColumnIsAnErrorWithItsPlace) {
  add_class();
  const std::string rows = "\nPoints Possible,,1,1\n\"Doe, Jane\",1234,,\n";
  const Error none = exported(request("Student,ID,A (1),B (2)" + rows)).error();
  EXPECT_THAT(none.message, HasSubstr("no assignment is lab 03-tiled"));
  EXPECT_THAT(none.message, HasSubstr("(there are: \"A (1)\"; \"B (2)\")"));
  EXPECT_EQ(none.line, 1);
  const Error two = exported(request("Student,ID,Lab 3 (1),Lab 03 (2)" + rows)).error();
  EXPECT_THAT(two.message, HasSubstr("more than one assignment could be lab 03-tiled"));
  EXPECT_THAT(two.message, HasSubstr(R"x("Lab 3 (1)"; "Lab 03 (2)")x"));
  EXPECT_EQ(two.column, 4);
  EXPECT_TRUE(exported(request("Student,ID,Lab 3 (1),Total" + rows)));
}

TEST_F(CanvasExport, OneColumnIsNotTwoLabs) {
  add_class();
  add_second_lab();
  const Error error = exported(request("Student,ID,Labs: 01-naive and 03-tiled (1)\n"
                                       "Points Possible,,90\n\"Doe, Jane\",1234,\n"))
                          .error();
  EXPECT_THAT(error.message, HasSubstr("could be lab 01-naive and lab 03-tiled"));
  EXPECT_EQ(error.column, 3);
}

TEST_F(CanvasExport, InvisibleCharactersAreNotWritten) {
  hand_in({add({.name = "Doe\x1b[2J\xe2\x80\xae, Jane", .login = "jdoe", .section = "A\xc2\x9b"})},
          "won\n");
  grade("won\n", won_record());
  const std::string csv = written(request()).text;
  EXPECT_THAT(csv, HasSubstr("\"Doe?[2J?, Jane\",,,jdoe,A?,70\n"));
  const std::string both = "Student,ID,Lab 3 (4)\nPoints Possible,,90\n";
  for (const std::string name : {"\"Doe\x1b[2J\xe2\x80\xae, Jane\"", "\"Doe?[2J?, Jane\""}) {
    EXPECT_EQ(filled(both + name + ",9,\n").text, both + name + ",9,70\n");
  }
}

TEST_F(CanvasExport, WithALabTheOnlyAssignmentIsMeant) {
  add_class();
  const std::string csv = "Student,ID,Homework (1)\nPoints Possible,,90\n\"Doe, Jane\",1234,\n";
  EXPECT_FALSE(exported(request(csv)));
  EXPECT_THAT(filled(csv, "03-tiled").text, HasSubstr("1234,70"));
}

TEST_F(CanvasExport, AnotherTableIsRefused) {
  add_class();
  EXPECT_THAT(exported(request("Name,Grade\nx,1\n")).error().message,
              HasSubstr("no column \"Student\"; expected Canvas' gradebook"));
  EXPECT_THAT(exported(request("Student,ID,Lab 3 (1)\nx,1,\n")).error().message,
              HasSubstr("Points Possible"));
  ExportRequest absent = request();
  absent.template_file = "no/such.csv";
  EXPECT_FALSE(exported(absent));
}

TEST_F(CanvasExport, OtherPointsPossibleAreNoted) {
  add_class();
  EXPECT_EQ(
      filled("Student,ID,Lab 3 (1)\nPoints Possible,,10\n\"Doe, Jane\",1234,\n").notes.front(),
      "03-tiled has 90 points, Canvas' column \"Lab 3 (1)\" 10: nothing is scaled");
}

}  // namespace
}  // namespace tessera
