#include "grader/gradebook/report/class_page.h"

#include <gmock/gmock.h>

#include "grader/gradebook/report/charts.h"

namespace tessera {
namespace {

using testing::HasSubstr;
using testing::Not;

ItemCounts item(const std::string& name, double max_points) {
  ItemCounts counts;
  counts.id = counts.name = counts.label = name;
  counts.max_points = max_points;
  return counts;
}

/// One lab, and Jane Doe, who raced in two of its three items.
ClassReport small_report() {
  ClassReport report;
  report.course = "CS101";
  LabReport lab;
  lab.id = "03-tiled";
  lab.title = "Tiled multiplication";
  lab.max_points = 100;
  lab.items = {item("case 1", 20), item("case 2", 20), item("performance/1", 10)};
  lab.kernels = 1;
  CommonMistake race;
  race.mistake = {.kind = FindingKind::race, .pattern = "a[b] = A(c, d);"};
  race.quoted = "As[ty] = A(row, k);";
  race.students = {0};
  lab.mistakes = {{FindingKind::race, 1, {race}}};
  report.labs = {lab};
  MarkReport mark;
  mark.state = MarkState::graded;
  mark.number = "7.5";
  mark.attempts = 3;
  mark.counted = 2;
  mark.submitted_at = "2026-10-01T21:59:03Z";
  mark.items = {{0, Status::fail, 0, "race line 23"},
                {1, Status::fail, 0, "race line 23"},
                {2, Status::partial, 7.5, ""}};
  mark.standing = {
      .attempts = 3, .without_gain = 3, .same = 1, .best = 7.5, .troubles = {Trouble::no_gain}};
  report.students = {
      {.name = "Doe, Jane", .section = "Mon", .total = 0.075, .marks = {std::move(mark)}}};
  report.troubled = {{0, 0}};
  report.troubles[static_cast<std::size_t>(Trouble::no_gain)] = 1;
  return report;
}

TEST(ClassPage, RunsItsOwnScriptAndLoadsNothing) {
  const std::string page = class_page(small_report());
  EXPECT_THAT(page, HasSubstr("content=\"default-src &#39;none&#39;; style-src "
                              "&#39;unsafe-inline&#39;; script-src &#39;sha256-"));
  for (const char* word : {"http://", "https://", "<img", "url(", "src="})
    EXPECT_THAT(page, Not(HasSubstr(word))) << word;
}

TEST(ClassPage, ANameLeadsToWhatDecidedTheMarks) {
  const std::string page = class_page(small_report());
  EXPECT_THAT(page, HasSubstr("<tr><th scope=\"row\"><a href=\"#s1\">Doe, Jane</a></th><td>Mon</td>"
                              "<td class=\"points\">7.5 %</td><td class=\"points\">7.5</td></tr>"));
  EXPECT_THAT(page, HasSubstr("<article class=\"marks\" id=\"s1\"><h3><bdi>Doe, Jane</bdi>, Mon, "
                              "7.5 %</h3>"));
}

TEST(ClassPage, ItemsThatEndedAlikeAreListedOnce) {
  EXPECT_THAT(
      class_page(small_report()),
      HasSubstr("<li><b>03-tiled</b> 7.5, graded. Attempt 2 of 3 counts, handed in "
                "2026-10-01T21:59:03Z. 0 of 3 items <span class=\"status pass\">pass</span>"
                "; case 1, case 2 <span class=\"status fail\">fail</span> (race line 23)"
                "; performance/1 <span class=\"status partial\">partial</span> 7.5 of 10.</li>"));
}

TEST(ClassPage, AMistakeHasItsShapeAnExampleAndWhoMakesIt) {
  EXPECT_THAT(class_page(small_report()),
              HasSubstr("<th scope=\"row\"><code>a[b] = A(c, d);</code></th>"
                        "<td><code>As[ty] = A(row, k);</code></td><td class=\"points\">1</td>"
                        "<td class=\"points\">100 %</td><td><a href=\"#s1\">"));
}

TEST(ClassPage, ADiagnosisIsExplained) {
  ClassReport report = small_report();
  report.labs[0].mistakes[0].mistakes[0].mistake = {.kind = FindingKind::wrong_result,
                                                    .diagnosis = "missing-last-phase"};
  EXPECT_THAT(class_page(report),
              HasSubstr("<strong>missing-last-phase</strong>: the last phase is left out</th>"));
}

TEST(ClassPage, WhoIsStuckStandsInATableWithTheReason) {
  EXPECT_THAT(
      class_page(small_report()),
      HasSubstr(
          "<td>03-tiled</td><td>no progress</td><td class=\"points\">3</td>"
          "<td class=\"points\">3</td><td class=\"points\">1</td><td class=\"points\">7.5</td>"
          "<td>2026-10-01T21:59:03Z</td>"));
}

TEST(ClassPage, WithoutNamesThereIsNoDateAndNoExample) {
  ClassReport report = small_report();
  report.anonymous = true;
  report.students[0].marks[0].submitted_at = "";
  const std::string page = class_page(report);
  EXPECT_THAT(page, HasSubstr("Without names: a student has the same pseudonym in every report"));
  EXPECT_THAT(page, Not(HasSubstr("handed in</th>")));
  EXPECT_THAT(page, Not(HasSubstr("for example</th>")));
}

TEST(ClassPage, EverythingFromTheGradebookIsText) {
  ClassReport report = small_report();
  const std::string hostile = "</table></title><script>alert(1)</script>\xe2\x80\xae\xff";
  report.course = hostile;
  report.notes = {hostile};
  report.policy = {hostile};
  LabReport& lab = report.labs[0];
  lab.id = lab.title = lab.due = hostile;
  lab.items[0].name = lab.items[0].label = hostile;
  lab.mistakes[0].mistakes[0].quoted = lab.mistakes[0].mistakes[0].mistake.diagnosis = hostile;
  lab.mistakes[0].mistakes[0].mistake.pattern = hostile;
  StudentReport& student = report.students[0];
  student.name = student.section = hostile;
  student.marks[0].how = {hostile};
  student.marks[0].submitted_at = student.marks[0].items[0].reason = hostile;
  const std::string page = class_page(report);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_THAT(page, Not(HasSubstr("\xff")));
}

TEST(ClassPage, AnEmptyGradebookSaysSo) {
  const std::string page = class_page({});
  EXPECT_THAT(page, HasSubstr("The gradebook has no lab of the course."));
  EXPECT_THAT(page, HasSubstr("The gradebook has no students."));
}

TEST(Charts, AHistogramGivesItsCountsInWords) {
  const std::string chart = histogram_chart({3, 0, 12}, 90).str();
  EXPECT_THAT(chart, HasSubstr("<desc>Points 0 to 30: 3; 60 to 90: 12</desc>"));
  EXPECT_THAT(chart, HasSubstr(">12</text>"));
}

}  // namespace
}  // namespace tessera
