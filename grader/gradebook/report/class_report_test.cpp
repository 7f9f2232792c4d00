#include "grader/gradebook/report/class_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "grader/gradebook/export/test_class.h"
#include "grader/gradebook/report/pseudonym.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Report : public ExportTest {
 protected:
  Report() { request_.now = *parse_time("2026-10-10T23:59:59Z"); }

  ClassReport made() const { return class_report(book_, course_, all_marks(), request_); }

  /// The report as `--anonymous` makes it.
  ClassReport made_anonymous() {
    request_.with_names = false;
    return class_report(book_, course_, anonymised(all_marks(), "key"), request_);
  }

  static int count(const LabReport& lab, MarkState state) {
    return lab.states[static_cast<std::size_t>(state)];
  }

  static const StudentReport& called(const ClassReport& report, const std::string& name) {
    return *std::ranges::find(report.students, name, &StudentReport::name);
  }

  static std::vector<std::string> reasons(const MarkReport& mark) {
    std::vector<std::string> all;
    for (const ItemOutcome& outcome : mark.items) all.push_back(outcome.reason);
    return all;
  }

  ClassReportRequest request_;
};

TEST_F(Report, AnEmptyGradebookIsAnEmptyReport) {
  const ClassReport report = made();
  EXPECT_THAT(report.students, IsEmpty());
  EXPECT_THAT(report.labs, IsEmpty());
  EXPECT_EQ(report.policy, policy_text(course_));
}

TEST_F(Report, OneStudentIsAClass) {
  hand_in({add({.name = "Doe, Jane"})}, "won\n");
  grade("won\n", won_record());
  const ClassReport report = made();
  ASSERT_THAT(report.students, SizeIs(1));
  EXPECT_DOUBLE_EQ(*report.students[0].total, 1);
  EXPECT_EQ(report.labs[0].scores->count, 1);
  EXPECT_EQ(report.labs[0].scores->median, 70);
}

TEST_F(Report, ALabWithoutSubmissionsIsThere) {
  add_second_lab();
  add_class();
  const ClassReport report = made();
  ASSERT_THAT(report.labs, SizeIs(2));
  EXPECT_EQ(report.labs[0].id, "01-naive");
  EXPECT_EQ(count(report.labs[0], MarkState::missing), 5);
  EXPECT_FALSE(report.labs[0].scores);
  EXPECT_THAT(report.labs[0].histogram, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(report.labs[0].items, IsEmpty());
}

TEST_F(Report, NumbersOfALab) {
  add_class();
  const ClassReport report = made();
  const LabReport& lab = report.labs.at(0);
  EXPECT_EQ(lab.title, "Tiled multiplication");
  EXPECT_EQ(lab.due, "2026-10-01T22:00:00Z");
  EXPECT_EQ(lab.max_points, 90);
  EXPECT_EQ(count(lab, MarkState::graded), 2);      // Jane, Max
  EXPECT_EQ(count(lab, MarkState::infra), 1);       // Ann
  EXPECT_EQ(count(lab, MarkState::missing), 1);     // Bob
  EXPECT_EQ(count(lab, MarkState::ungradable), 1);  // Eve
  EXPECT_EQ(lab.late, 1);
  EXPECT_EQ(lab.deferred, 1);  // Jane's speed-up; Ann has no mark
  EXPECT_EQ(lab.kernels, 3);
  // Jane 70, Max 30 - 9, Eve 0: of 90 in tenths of 9 points.
  EXPECT_EQ(lab.scores->count, 3);
  EXPECT_DOUBLE_EQ(lab.scores->mean, 91.0 / 3);
  EXPECT_EQ(lab.scores->median, 21);
  EXPECT_THAT(lab.histogram, ElementsAre(1, 0, 1, 0, 0, 0, 0, 1, 0, 0));
}

TEST_F(Report, ItemsCountEveryRecordOnce) {
  add_class();
  const ClassReport report = made();
  const std::vector<ItemCounts>& items = report.labs[0].items;
  const auto checks = std::ranges::find(items, "checks", &ItemCounts::id);
  ASSERT_NE(checks, items.end());
  EXPECT_EQ(checks->won, 2);   // Jane, Ann
  EXPECT_EQ(checks->lost, 1);  // Max
  EXPECT_THAT(checks->points, testing::UnorderedElementsAre(10, 10, 0));
  EXPECT_EQ(items[0].infra, 1);  // Ann's first case
  const auto speedup = std::ranges::find(items, "performance/1", &ItemCounts::id);
  EXPECT_EQ(speedup->deferred, 2);
}

TEST_F(Report, AMarkLeadsToWhatDecidedIt) {
  add_class();
  give_points_by_hand(max_);
  const ClassReport report = made();
  const MarkReport& mark = called(report, "Roe, Max").marks[0];
  EXPECT_EQ(mark.number, "26.0");
  EXPECT_EQ(mark.letters, "LH");
  EXPECT_EQ(mark.attempts, 1);
  EXPECT_EQ(mark.counted, 1);
  EXPECT_EQ(mark.submitted_at, "2026-10-02T10:00:00Z");
  EXPECT_THAT(mark.how, ElementsAre("Mark: 26 of 90 points", "30 points won",
                                    "-9 points: late (handed in 2026-10-02 10:00 +00:00, due "
                                    "2026-10-01 22:00 +00:00)",
                                    "+5 points by hand", "Note: +5 by ta: explained it well"));
  EXPECT_THAT(reasons(mark), ElementsAre("", "race line 23; wrong-result", "", "race line 23", ""));
}

TEST_F(Report, TotalsAreThoseOfTheClassTable) {
  add_second_lab();
  add_class();
  const ClassReport report = made();
  EXPECT_DOUBLE_EQ(*called(report, "Doe, Jane").total, 0.5);
  EXPECT_DOUBLE_EQ(*called(report, "Lee, Ann").total, 0);
  EXPECT_NEAR(*called(report, "Roe, Max").total, 0.117, 0.0005);
}

TEST_F(Report, AMistakeCountsAStudentOnce) {
  add_class();
  const RowId kim = add({.name = "Kim", .login = "kim"});
  const std::string theirs = "// Kim's\n";
  hand_in({kim}, theirs);
  Record record = failed_record();
  record.items[1].findings[1].example = {{"diagnosis", "missing-last-phase"}};
  grade(theirs, record);
  const ClassReport report = made();
  const std::vector<MistakeKind>& kinds = report.labs[0].mistakes;
  ASSERT_THAT(kinds, SizeIs(2));
  EXPECT_EQ(kinds[0].kind, FindingKind::race);
  EXPECT_EQ(kinds[0].students, 2);  // in two cases and in the checks of both
  EXPECT_THAT(kinds[0].mistakes, SizeIs(1));
  EXPECT_EQ(kinds[1].kind, FindingKind::wrong_result);
  // A wrong result that may come from the race is no mistake of its own.
  EXPECT_EQ(kinds[1].students, 1);
  ASSERT_THAT(kinds[1].mistakes, SizeIs(1));
  const CommonMistake& diagnosed = kinds[1].mistakes[0];
  EXPECT_EQ(diagnosed.mistake.diagnosis, "missing-last-phase");
  ASSERT_THAT(diagnosed.students, SizeIs(1));
  EXPECT_EQ(report.students[diagnosed.students[0]].name, "Kim");
}

TEST_F(Report, WhoHandedInNothingOrNothingGradableIsInTrouble) {
  add_class();
  const ClassReport report = made();
  EXPECT_THAT(called(report, "Doe, Jane").marks[0].standing.troubles, IsEmpty());
  EXPECT_THAT(called(report, "Poe, Bob").marks[0].standing.troubles, ElementsAre(Trouble::missing));
  EXPECT_THAT(called(report, "Zoe, Eve").marks[0].standing.troubles,
              ElementsAre(Trouble::ungradable));
  EXPECT_THAT(called(report, "Roe, Max").marks[0].standing.troubles, ElementsAre(Trouble::late));
  EXPECT_THAT(report.troubles, ElementsAre(0, 0, 1, 1, 1));
  std::vector<std::string> names;
  for (const TroubledMark& troubled : report.troubled)
    names.push_back(report.students[troubled.student].name);
  EXPECT_THAT(names, ElementsAre("Zoe, Eve", "Poe, Bob", "Roe, Max"));
}

TEST_F(Report, MostAttemptsWithoutGainComeFirst) {
  add_class();
  const auto try_often = [&](const std::string& name, int times) {
    const RowId student = add({.name = name});
    for (int i = 0; i < times; ++i) {
      const std::string source = fmt::format("{} {}\n", name, i);
      hand_in({student}, source, source, fmt::format("2026-09-{:02}T00:00:00Z", i + 1));
      grade(source, failed_record());
    }
  };
  try_often("Ada", 4);   // three without gain
  try_often("Ben", 6);   // five
  try_often("Cleo", 3);  // two: not yet
  const ClassReport report = made();
  ASSERT_GE(report.troubled.size(), 2);
  EXPECT_EQ(report.students[report.troubled[0].student].name, "Ben");
  EXPECT_EQ(report.students[report.troubled[1].student].name, "Ada");
  EXPECT_EQ(report.troubles[0], 2);
  EXPECT_EQ(called(report, "Ben").marks[0].counted, 6);  // the later of equals
}

TEST_F(Report, WithoutNamesNoWordOfASubmissionIsLeft) {
  add_class();
  Record record = failed_record();
  record.items[0].status = Status::error;
  record.items[0].message = "no kernel 'matmul_by_kim'";
  hand_in({add({.name = "Kim", .login = "kim"})}, "int kim;\n");
  grade("int kim;\n", record);
  const ClassReport report = made_anonymous();
  EXPECT_TRUE(report.anonymous);
  for (const MistakeKind& kind : report.labs[0].mistakes) {
    for (const CommonMistake& mistake : kind.mistakes) {
      EXPECT_EQ(mistake.quoted, "");
      EXPECT_EQ(mistake.mistake.pattern, "");
    }
  }
  for (const StudentReport& student : report.students) {
    EXPECT_EQ(student.section, "");
    for (const MarkReport& mark : student.marks) {
      EXPECT_EQ(mark.submitted_at, "");
      for (const std::string& reason : reasons(mark))
        EXPECT_THAT(reason, testing::AnyOf("", "race", "race; wrong-result"));
    }
  }
}

TEST_F(Report, ARecordThatCannotBeReadIsANote) {
  hand_in({add({.name = "Doe, Jane"})}, "won\n");
  BookResult broken = result("03-tiled", sha256("won\n"), "h", 70);
  broken.record = "{";
  book_.add_results({broken});
  const ClassReport report = made();
  ASSERT_THAT(report.notes, SizeIs(1));
  EXPECT_THAT(report.notes[0], testing::HasSubstr("cannot be read"));
  EXPECT_THAT(report.students[0].marks[0].items, IsEmpty());
  EXPECT_EQ(report.students[0].marks[0].number, "70.0");
  EXPECT_THAT(made_anonymous().notes, ElementsAre("1 records cannot be read; a report with names "
                                                  "says which"));
}

TEST(Policy, IsSaidInSentences) {
  Course course;
  course.attempts = AttemptPolicy::last;
  EXPECT_THAT(policy_text(course),
              ElementsAre("The last attempt counts.", "Late work costs nothing."));
  course.attempts = AttemptPolicy::best;
  course.late = {.grace_minutes = 10, .per_day = 0.1, .cap = 0.5, .closed_after_days = 7};
  EXPECT_THAT(
      policy_text(course),
      ElementsAre("The attempt with the best mark after the penalty for lateness counts.",
                  "Each day begun costs 10 % of a lab's points, 50 % at most; 10 minutes "
                  "are forgiven; work that is more than 7 days late earns nothing.",
                  "Work that is late by an unknown time costs nothing until the time is known."));
  course.late.unknown_days = 1;
  EXPECT_EQ(policy_text(course).back(),
            "Work that is late by an unknown time is counted as 1 day late.");
}

}  // namespace
}  // namespace tessera
