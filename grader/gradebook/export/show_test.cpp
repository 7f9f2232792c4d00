#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/gradebook/export/test_class.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

using Show = ExportTest;

void expect_within(const std::string& text, int width) {
  for (const std::string& line : split_lines(text)) EXPECT_LE(display_width(line), width) << line;
}

Mark mark_of(const std::string& lab, double score) {
  Mark mark;
  mark.student.identity.name = "Jane";
  mark.lab = lab;
  mark.max_points = 100;
  mark.state = MarkState::graded;
  mark.raw = mark.score = score;
  return mark;
}

TEST_F(Show, ClassGolden) {
  add_second_lab();
  add_class();
  const std::string text = show_class(all_marks(), course_, 100);
  EXPECT_EQ(text, R"(Student       01      03     total
             /50     /90
Doe, Jane      -    70.0D   50.0 %
Lee, Ann       -       !     0.0 %
Poe, Bob       -       -     0.0 %
Roe, Max       -    21.0L   11.7 %
Zoe, Eve       -     0.0X    0.0 %

-  nothing handed in; counts 0 in the total
!  infra: the grader failed, grade again; left out of the total
L  late
D  deferred: points that could not be measured; left out of the total
X  ungradable: handed in, but nothing that can be graded
)");
  expect_within(text, 100);
}

TEST_F(Show, WhatLacksItsPenaltyStandsOut) {
  const RowId kim = add_late_by_an_unknown_time();
  EXPECT_EQ(show_class(all_marks(), course_, 100), R"(Student      03      total
            /90
Moe, Kim   70.0UD  100.0 %

U  late by an unknown time: no penalty taken; `gradebook adjust --late-days` sets it
D  deferred: points that could not be measured; left out of the total
)");
  EXPECT_THAT(show_student(book_, all_marks(), kim, 100),
              HasSubstr("  70.0 points, late by an unknown time: no penalty taken, 20.0 could"));
  set_late_days(kim, 2);
  EXPECT_THAT(show_class(all_marks(), course_, 100), HasSubstr("52.0LDH"));
  const std::string page = show_student(book_, all_marks(), kim, 100);
  EXPECT_THAT(page, HasSubstr("  70.0 points, -18.0 late, 20.0 could"));
  EXPECT_THAT(page, HasSubstr("  counted as 2 days late by ta, 2026-10-05T09:00:00Z: came on"));
}

TEST_F(Show, AnInvisibleCharacterIsAQuestionMark) {
  const RowId kim = add({.name = "Moe\x1b[2J\xe2\x80\xae, Kim", .login = "k\xc2\x9bmoe"});
  hand_in({kim}, "won\n", "kernel\x1b[2J.cu");
  grade("won\n", won_record());
  for (const std::string& text :
       {show_class(all_marks(), course_, 100), show_student(book_, all_marks(), kim, 100),
        show_lab(book_, all_marks(), "03-tiled", 100)}) {
    EXPECT_EQ(text, printable(text));
  }
}

TEST_F(Show, EveryLineOfAStudentFitsTheWidth) {
  add_class();
  const RowId kim = add({.name = "Moe, Kim",
                         .email = "kim.moe.with.a.long.address@students.example.edu",
                         .sis_id = "s000000000000042",
                         .github = "kim-moe-on-github",
                         .section = "Monday, 8 am, room 101, main building"});
  hand_in({kim}, "failed\n");
  book_.add_adjustment({.student = kim,
                        .lab = "03-tiled",
                        .points = 5,
                        .reason = "the task said 16 where 32 was meant, as was said in the forum",
                        .author = "ta",
                        .at = "2026-10-05T09:00:00Z"});
  expect_within(show_student(book_, all_marks(), kim, 72), 72);
}

TEST_F(Show, AMessageOfManyItemsIsShownOnceAndAnUnusedCompilerIsNotNamed) {
  const RowId kim = add({.name = "Moe, Kim"});
  Record record = failed_record();
  record.compiler.clear();
  for (Item& item : record.items) item.message = "kernel.cu is empty";
  hand_in({kim}, "empty\n");
  grade("empty\n", record);
  const std::string page = show_student(book_, all_marks(), kim, 100);
  EXPECT_THAT(page, HasSubstr("  simulated NVIDIA H200, seed 1234\n"));
  EXPECT_NE(page.find("kernel.cu is empty"), page.npos);
  EXPECT_EQ(page.find("kernel.cu is empty"), page.rfind("kernel.cu is empty"));
}

TEST_F(Show, ALabsItemIsDeferredIfItIsForAnyStudent) {
  add_class();
  Record lost = won_record();
  lost.items.back().status = Status::skipped;  // deferred for those who could have won it
  hand_in({bob_}, "lost\n");
  grade("lost\n", lost);
  EXPECT_THAT(
      show_lab(book_, all_marks(), "03-tiled", 100),
      ContainsRegex(
          "speed-up over 01-naive, all points at 1.2 .speedup. +deferred for 2 +- /  20.0"));
}

TEST_F(Show, ManyLabsAreTablesBelowEachOther) {
  std::vector<Mark> marks;
  std::vector<std::string> ids;
  for (int number = 10; number < 40; ++number) {
    ids.push_back(std::to_string(number) + "-lab");
    marks.push_back(mark_of(ids.back(), 100));
    marks.back().student.identity.name = "행렬 with a name that is far too long for any table";
    marks.back().late = marks.back().stale = true;
  }
  const std::string text = show_class(marks, default_course(ids), 100);
  expect_within(text, 100);
  EXPECT_THAT(text, HasSubstr("100.0 %"));
}

TEST_F(Show, TheTotalIsByWeightAndLeavesOutWhatIsNotTheStudentsFault) {
  course_.labs[0].weight = 3;
  Mark naive = mark_of("01-naive", 80);
  naive.deferred = 20;
  Mark tiled = mark_of("03-tiled", 0);
  EXPECT_THAT(show_class({naive, tiled}, course_, 100), HasSubstr("75.0 %\n"));
  tiled.state = MarkState::missing;
  EXPECT_THAT(show_class({naive, tiled}, course_, 100), HasSubstr("75.0 %\n"));
  for (const MarkState state : {MarkState::infra, MarkState::waiting}) {
    tiled.state = state;
    EXPECT_THAT(show_class({naive, tiled}, course_, 100), HasSubstr("100.0 %\n"));
  }
}

TEST_F(Show, StudentGolden) {
  add_class();
  hand_in({max_}, "another\n", "again.cu", "2026-10-04T10:00:00Z");
  hand_in({bob_}, "failed \n");
  grade("failed \n", failed_record(), sha256("failed\n"));
  give_points_by_hand(max_);
  const std::string text = show_student(book_, all_marks(), max_, 100);
  EXPECT_EQ(text, R"(Roe, Max, mroe, s002

03-tiled  Tiled multiplication  26.0 / 90.0, graded
  30.0 points, -9.0 late, +5.0 by hand
  attempt 1 of 2: Max Roe_17_assignsubmission_file, 2026-10-02T10:00:00Z, 6da5b18878e1; this one
  counts
  attempt 2 of 2: again.cu, 2026-10-04T10:00:00Z, 33a7b215065f
  +5.0 points by ta, 2026-10-05T09:00:00Z: explained it well
  graded 2026-10-02T08:01:00Z by tessera 0.1.0 on lab-7; isolation: bubblewrap
  the same program as Poe, Bob: one run (6da5b18878e1) stands for all
  simulated NVIDIA H200, nvrtc 13.0, seed 1234
    pass      case 1: m=16 n=16 k=16 identity                                           10.0 /  30.0
    fail      case 2: m=64 n=48 k=32 integers padding=8                                  0.0 /  20.0
              C: 192 of 3,072 elements are wrong: the last 3 columns. C[0][45] is 1.5, expected
              2.25; this data leaves no room for rounding
    pass      case 3: m=128 n=96 k=160 uniform                                          20.0 /  20.0
    fail      no out-of-bounds, misaligned, race                                         0.0 /  10.0
              found: race in line 23
    skipped   barriers at least 1                                                        0.0 /  10.0
              counters and times wait until every case passes
)");
  expect_within(text, 100);
}

TEST_F(Show, LabGolden) {
  add_class();
  const std::string text = show_lab(book_, all_marks(), "03-tiled", 100);
  EXPECT_EQ(text, R"(03-tiled  Tiled multiplication, 90 points
  2 graded, 1 infra, 1 ungradable, 1 missing
  n 3, mean 30.3, median 21.0, quartiles 10.5 and 45.5, min 0.0, max 70.0

  item                                                                        won by     mean points
  case 1: m=16 n=16 k=16 identity                                     2 of 2 (100 %)    17.5 /  25.0
  hidden case 1                                                       2 of 2 (100 %)    25.0 /  25.0
  no out-of-bounds, misaligned, race                                   2 of 3 (67 %)     6.7 /  10.0
  sectors per global load at most 4.5 (global_load_sectors_per_req    2 of 2 (100 %)    10.0 /  10.0
  speed-up over 01-naive, all points at 1.2 (speedup)                 deferred for 2       - /  20.0
  case 2: m=64 n=48 k=32 integers padding=8                             0 of 1 (0 %)     0.0 /  20.0
  case 3: m=128 n=96 k=160 uniform                                    1 of 1 (100 %)    20.0 /  20.0
  barriers at least 1                                                   0 of 1 (0 %)     0.0 /  10.0

  most frequent findings
    race                    1 student
    wrong-result            1 student

  missing: Poe, Bob
)");
  expect_within(text, 100);
}

TEST_F(Show, QuartilesLieBetweenTheNearestMarks) {
  std::vector<Mark> marks;
  for (const double score : {30, 0, 20, 10}) marks.push_back(mark_of("03-tiled", score));
  EXPECT_THAT(show_lab(book_, marks, "03-tiled", 100),
              HasSubstr("n 4, mean 15.0, median 15.0, quartiles 7.5 and 22.5, min 0.0, max 30.0"));
}

TEST_F(Show, AnEmptyGradebookHasNoMarks) {
  EXPECT_THAT(show_class({}, course_, 100), HasSubstr("no marks"));
  EXPECT_THAT(show_lab(book_, {}, "03-tiled", 100), HasSubstr("no marks"));
  EXPECT_EQ(show_student(book_, {}, 1, 100), "");
}

}  // namespace
}  // namespace tessera
