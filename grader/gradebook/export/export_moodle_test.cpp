#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gradebook/export/test_class.h"
#include "grader/gradebook/intake/csv.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHeading =
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be "
    "changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n";

class MoodleExport : public ExportTest {
 protected:
  ExportRequest request(const std::string& csv) const {
    ExportRequest request;
    request.format = ExportFormat::moodle;
    request.template_file = folder_.write("sheet.csv", csv);
    return request;
  }

  /// The rows written for these rows under the usual heading.
  std::vector<std::vector<std::string>> filled(const std::string& rows) const {
    return *read_csv(written(request(kHeading + rows)).text, "sheet.csv");
  }
};

std::string row(const std::string& identifier, const std::string& name, const std::string& email,
                const std::string& changeable = "Yes") {
  return identifier + ",\"" + name + "\",\"" + email + "\",\"Submitted\",,90.00," + changeable +
         ",\"Thursday, 1 October 2026\",-,\r\n";
}

TEST_F(MoodleExport, FillsGradeAndFeedbackAlone) {
  add_class();
  const auto rows = filled(row("Participant 17", "Max Roe", "x@example.edu"));
  EXPECT_EQ(rows[1][4], "21");
  EXPECT_THAT(rows[1][9], testing::StartsWith("Mark: 21 of 90 points<br>30 points won"));
  EXPECT_THAT(rows[1][9],
              HasSubstr("<br>fail: case 2: m=64 n=48 k=32 integers padding=8 (0 of 20"));
  EXPECT_EQ(rows[1][3], "Submitted");
  EXPECT_EQ(rows[1][7], "Thursday, 1 October 2026");
  EXPECT_EQ(rows[1][8], "-");
}

TEST_F(MoodleExport, RowsWithoutAMarkStayByteByByte) {
  add_class();
  const std::string ann = row("Participant 99", "Ann Lee", "alee@example.edu");
  const std::string kim = "Participant 3,\"Kim Moe\",,,\"55.00\",90.00,Yes,-,-,\"Well, done\"\r\n";
  const std::string max = row("Participant 17", "Max Roe", "");
  const std::string text = written(request(kHeading + ann + kim + max)).text;
  EXPECT_THAT(text, testing::StartsWith(kHeading + ann + kim + "Participant 17,Max Roe,"));
  EXPECT_THAT(text, testing::EndsWith("\r\n"));
}

TEST_F(MoodleExport, FeedbackWithoutAGradeIsNeverWritten) {
  add_class();
  const std::string rows =
      row("Participant 99", "Ann Lee", "") + row("Participant 98", "Bob Poe", "");
  EXPECT_EQ(written(request(kHeading + rows)).text, kHeading + rows);
}

TEST_F(MoodleExport, TheNumberGoesBeforeTheNameAndANameAfterAll) {
  add_class();
  const auto rows = filled(
      row("Participant 18", "Max Roe", "") + row("Participant 17", "Maximilian R.", "") +
      row("Participant 5", "Someone", "jane@example.edu") + row("Participant 6", "Eve Zoe", ""));
  EXPECT_EQ(rows[1][4], "") << "another participant of the same name";
  EXPECT_EQ(rows[2][4], "21");
  EXPECT_EQ(rows[3][4], "70");
  EXPECT_EQ(rows[4][4], "0");
}

TEST_F(MoodleExport, AnEmailInAnotherCaseIsAnotherAddress) {
  add_class();
  EXPECT_EQ(filled(row("Participant 5", "Someone", "Jane@example.edu"))[1][4], "");
}

TEST_F(MoodleExport, ANumberOfAnotherAssignmentIsNotUsed) {
  add_second_lab();
  hand_in({add({.name = "Kim Moe", .moodle_id = "40"})}, "won\n");
  grade("won\n", won_record());
  ExportRequest single = request(kHeading + row("Participant 40", "Lou Noe", ""));
  single.lab = "03-tiled";
  EXPECT_EQ((*read_csv(written(single).text, ""))[1][4], "");
}

TEST_F(MoodleExport, ALockedGradeStays) {
  add_class();
  const std::string locked = kHeading + row("Participant 17", "Max Roe", "", "No");
  const Exported exported = written(request(locked));
  EXPECT_EQ(exported.text, locked);
  EXPECT_THAT(exported.notes.front(), HasSubstr("locked"));
}

TEST_F(MoodleExport, FeedbackIsNoMarkup) {
  Record record = failed_record();
  record.items[1].message = "<script>alert(1)</script>";
  hand_in({add({.name = "Kim Moe", .email = "k@example.edu"})}, "x");
  grade("x", record);
  const auto rows = filled(row("Participant 1", "Kim Moe", "k@example.edu"));
  EXPECT_THAT(rows[1][9], HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(rows[1][9], Not(HasSubstr("<script>")));
}

TEST_F(MoodleExport, NeedsAWorksheetOfOneLab) {
  add_class();
  ExportRequest none;
  none.format = ExportFormat::moodle;
  EXPECT_THAT(exported(none).error().message, HasSubstr("--template"));
  EXPECT_THAT(exported(request("Identifier,Name\nParticipant 1,x\n")).error().message,
              HasSubstr("no column \"Grade\""));
  add_second_lab();
  EXPECT_THAT(exported(request(kHeading)).error().message,
              HasSubstr("name its lab with --lab: 01-naive; 03-tiled"));
}

}  // namespace
}  // namespace tessera
