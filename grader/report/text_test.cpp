#include "common/text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "grader/report/causes.h"
#include "grader/report/report.h"
#include "grader/report/sample_record.h"
#include "grader/report/terminal.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

void expect_within(const std::string& text, int width) {
  for (const std::string& line : split_lines(text)) EXPECT_LE(display_width(line), width) << line;
}

TEST(TextReport, WonLabGolden) {
  const std::string text = text_report(won_record(), {});
  EXPECT_EQ(text,
            R"(03-tiled  Tiled multiplication
labs/03-tiled/kernel.cu, simulated NVIDIA H200, nvrtc 13.0, seed 1234

  pass      case 1: m=16 n=16 k=16 identity                                             25.0 /  25.0
  pass      hidden case 1                                                               25.0 /  25.0
  pass      no out-of-bounds, misaligned, race                                          10.0 /  10.0
  pass      sectors per global load at most 4.5 (global_load_sectors_per_request): 4    10.0 /  10.0
  deferred  speed-up over 01-naive, all points at 1.2 (speedup)                            - /  20.0

  deferred: needs a GPU

03-tiled  70.0 / 70.0 points, 20.0 deferred (need a GPU)
)");
  expect_within(text, 100);
}

TEST(TextReport, AMeasuredThresholdShowsItsValue) {
  Record record = won_record();
  record.items.push_back(
      sample_item("performance/2", "modelled_time_ms, all points at 0.016", Status::pass, 10, 10));
  record.items.back().metrics = {{Metric::modelled_time_ms, 0.0107},
                                 {Metric::static_shared_bytes, 2048}};
  EXPECT_THAT(
      text_report(record, {}),
      HasSubstr("pass      modelled time, ms, all points at 0.016 (modelled_time_ms): 0.0107 "));
}

TEST(TextReport, FailedLabGolden) {
  const std::string text = text_report(failed_record(), {});
  EXPECT_EQ(text,
            R"(03-tiled  Tiled multiplication
labs/03-tiled/kernel.cu, simulated NVIDIA H200, nvrtc 13.0, seed 1234

  pass      case 1: m=16 n=16 k=16 identity                                             10.0 /  10.0
  fail      case 2: m=64 n=48 k=32 integers padding=8                                    0.0 /  20.0
  pass      case 3: m=128 n=96 k=160 uniform                                            20.0 /  20.0
  fail      no out-of-bounds, misaligned, race                                           0.0 /  10.0
  skipped   barriers at least 1                                                          0.0 /  10.0

  race  kernel.cu:23:2  in case 2, also in case 3  3,840 times
    As[3][5] is written by thread (5, 3, 0) and read by thread (0, 3, 0)
       23 |     As[ty][tx] = A(row, col);  // 행렬
          |     ^
    hint: put __syncthreads() between the two

  wrong-result  in case 2
    C: 192 of 3,072 elements are wrong: the last 3 columns. C[0][45] is 1.5, expected 2.25; this
    data leaves no room for rounding
    hint: This may come from the race in line 23: repair that first.

  what these mean: labs/03-tiled/README.md#what-a-finding-means, labs/GLOSSARY.md

  skipped: counters and times wait until every case passes

03-tiled  30.0 / 70.0 points
)");
  expect_within(text, 100);
}

TEST(TextReport, ItemsThatCountOnlyWithTheSameOthersAreOneReason) {
  Record record = failed_record();
  Item& barriers = record.items.back();
  Item more = barriers, other = barriers;
  const Text missed = say(Phrase::counts_only_with, Name{"shuffles at least 3"}) +
                      say(Phrase::counts_also_with, Name{"branches at most 4"});
  barriers.message = "barriers is 4" + missed;
  more.message = "barriers is 5" + missed;
  other.message = "barriers is 6" + say(Phrase::counts_only_with, Name{"checks"});
  record.items.push_back(more);
  record.items.push_back(other);
  EXPECT_THAT(text_report(record, {}),
              testing::HasSubstr("  skipped: 2 items not counted without shuffles at least 3 and "
                                 "branches at most 4; 1 item not\n           counted without "
                                 "checks\n"));
}

TEST(TextReport, AnUntouchedSkeletonIsAFriendlyPage) {
  Record record = failed_record();
  record.untouched = true;
  for (Item& item : record.items) item.points = 0;
  EXPECT_EQ(text_report(record, {}),
            R"(03-tiled  Tiled multiplication
labs/03-tiled/kernel.cu, simulated NVIDIA H200, nvrtc 13.0, seed 1234

  Nothing written yet: open labs/03-tiled/README.md, fill in labs/03-tiled/kernel.cu, then `make
  grade LAB=03`.

03-tiled  0.0 / 70.0 points
)");
}

TEST(TextReport, AnUntouchedSkeletonNamesTheProgramWhereThereIsNoMakefile) {
  Record record = failed_record();
  record.untouched = true;
  TextOptions options;
  options.makefile = false;
  options.width = 200;
  EXPECT_THAT(text_report(record, options), HasSubstr("then `tessera grade 03`."));
}

TEST(TextReport, AnUntouchedSkeletonOfManyIsALine) {
  Record record = won_record();
  record.untouched = true;
  TextOptions options;
  options.one_of_many = true;
  EXPECT_EQ(text_report(record, options),
            "03-tiled  nothing written yet: labs/03-tiled/README.md\n");
}

TEST(TextReport, PointsAreShownWhole) {
  Record record = won_record();
  record.items[0].points = record.items[0].max_points = 6.25;
  record.items[1].points = record.items[1].max_points = 50.0 / 7;
  const std::string text = text_report(record, {});
  EXPECT_THAT(text, HasSubstr("   6.25 /  6.25\n"));
  EXPECT_THAT(text, HasSubstr("   7.14 /  7.14\n"));
  EXPECT_THAT(text, HasSubstr("   10.0 /  10.0\n"));
}

TEST(TextReport, ACompileErrorIsReportedOnce) {
  Record record = sample_record();
  record.source = {"int x"};
  Finding error;
  error.kind = FindingKind::does_not_compile;
  error.file = "kernel.cu";
  error.line = 1;
  error.column = 6;
  error.message = "expected ';'";
  for (int number = 1; number <= 3; ++number) {
    record.items.push_back(sample_item("correctness/" + std::to_string(number), "m=1 n=1 k=1 ones",
                                       Status::error, 0, 10));
    record.items.back().message = error.message;
  }
  record.items[0].findings = {error};
  const std::string text = text_report(record, {});
  EXPECT_THAT(text, HasSubstr("\n  does-not-compile  kernel.cu:1:6\n    expected ';'\n"
                              "        1 | int x\n          |      ^\n\n03-tiled"));
  EXPECT_EQ(text.find("expected ';'"), text.rfind("expected ';'"));
}

TEST(TextReport, WhatDoesNotCompileIsOneRow) {
  Record record = sample_record();
  Finding error;
  error.kind = FindingKind::does_not_compile;
  error.file = "kernel.cu";
  error.line = 1;
  error.message = "'launch' lacks __host__ __device__";
  for (int number = 1; number <= 9; ++number) {
    record.items.push_back(sample_item("correctness/" + std::to_string(number), "m=1 n=1 k=1 ones",
                                       Status::error, 0, 10));
    record.items.back().message = error.message;
  }
  record.items[0].findings = {error};
  record.items.push_back(sample_item("checks", "no race", Status::skipped, 0, 10));
  record.items.back().message = "the checks wait until a case passes";
  const std::string text = text_report(record, {});
  EXPECT_THAT(text, HasSubstr("  error     nothing was run: all 10 items wait for a kernel that "
                              "compiles"));
  EXPECT_THAT(text, HasSubstr("0.0 / 100.0\n"));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("case 1")), Not(HasSubstr("skipped"))));
}

TEST(TextReport, AMessageWithoutAFindingIsShown) {
  Record record = sample_record();
  record.items = {sample_item("correctness/1", "x", Status::error, 0, 10),
                  sample_item("technique/1", "barriers at least 1", Status::fail, 0, 10)};
  record.items[0].message = "there is no labs/03-tiled/kernel.cu";
  record.items[0].hint = "start from the skeleton";
  record.items[1].message = "barriers is 0; required: at least 1";
  const std::string text = text_report(record, {});
  EXPECT_THAT(text, HasSubstr("  error  case 1\n    there is no labs/03-tiled/kernel.cu\n"
                              "    hint: start from the skeleton\n"));
  EXPECT_THAT(text, HasSubstr("  fail  barriers at least 1\n    barriers is 0; required"));
}

TEST(TextReport, HiddenCasesJoinTheCauseOfAVisibleOne) {
  Record record = failed_record();
  Finding redacted = record.items[1].findings[0];
  redacted.message = "race was found in a case that is not shown";
  redacted.hint = "try shapes of your own";
  for (int number = 4; number <= 9; ++number) {
    Item hidden = sample_item("correctness/" + std::to_string(number),
                              "hidden case " + std::to_string(number - 3), Status::fail, 0, 5);
    hidden.findings = {redacted};
    record.items.push_back(hidden);
  }
  const std::string text = text_report(record, {});
  EXPECT_THAT(text, HasSubstr("race  kernel.cu:23:2  in case 2, also in 7 others"));
  EXPECT_THAT(text, Not(HasSubstr("not shown")));
  record.items.erase(record.items.begin() + 1, record.items.begin() + 4);
  EXPECT_THAT(text_report(record, {}),
              HasSubstr("  race  kernel.cu:23:2  in hidden case 1, also in 5 others"));
}

TEST(TextReport, ACaseWithADiagnosisSpeaksForTheOthers) {
  Record record = failed_record();
  Item& third = record.items[2];
  third.status = Status::fail;
  Finding wrong = record.items[1].findings[1];
  wrong.message = "In all of C, k stops at 16 of 19. C[1][2] is 3, expected 4";
  wrong.example = {{"element", "C[1][2]"}, {"diagnosis", "missing-last-phase"}};
  third.findings = {wrong};
  const std::string text = text_report(record, {});
  EXPECT_THAT(text, HasSubstr("wrong-result  in case 3, also in case 2\n"
                              "    In all of C, k stops at 16 of 19. C[1][2] is 3, expected 4\n"));
  EXPECT_THAT(text, Not(HasSubstr("C[0][45] is 1.5")));
  const std::vector<Cause> causes = causes_of(record);
  const auto cause_of_case_3 = std::ranges::find(
      causes, wrong.message, [](const Cause& cause) { return cause.finding.message; });
  ASSERT_NE(cause_of_case_3, causes.end());
  EXPECT_EQ(cause_of_case_3->item, 2u) << "its picture is that of case 3";
}

TEST(TextReport, ManyCausesAreCut) {
  Record record = sample_record();
  record.items = {sample_item("correctness/1", "x", Status::fail, 0, 10)};
  for (int line = 1; line <= 40; ++line) {
    Finding finding;
    finding.line = line;
    finding.file = "kernel.cu";
    record.items[0].findings.push_back(finding);
  }
  EXPECT_THAT(text_report(record, {}), HasSubstr("and 28 more; repair these first"));
}

TEST(TextReport, SubmissionsCannotWriteEscapeSequences) {
  Record record = failed_record();
  record.source[22] = "As = 1; // \x1b[2J" + std::string(300, 'x');
  const std::string text = text_report(record, {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  expect_within(text, 100);
}

TEST(TextReport, ColoursStandAroundWordsOnly) {
  TextOptions options;
  options.color = true;
  const std::string text = text_report(won_record(), options);
  EXPECT_THAT(text, HasSubstr("\x1b[32mpass\x1b[0m      case 1"));
}

TEST(TextReport, OurOwnFaultIsSaidToBeOurs) {
  Record record = sample_record();
  record.items = {sample_item("correctness/1", "x", Status::infra, 0, 10)};
  record.items[0].message = "no compiler";
  EXPECT_THAT(text_report(record, {}),
              HasSubstr("03-tiled  0.0 / 0.0 points, 10.0 not graded (the grader's fault)"));
}

TEST(TextTotal, SumsLabs) {
  EXPECT_EQ(text_total({won_record(), failed_record()}, {}),
            "2 labs  100.0 / 140.0 points, 20.0 deferred (need a GPU)\n");
}

TEST(CheckText, ShowsFindingsOutputAndMetrics) {
  CheckReport report;
  report.path = "k.cu";
  report.kernel = "axpy";
  report.compiler = "clang 14.0.6";
  report.device = "simulated NVIDIA H200";
  report.seed = 7;
  report.output = "x = 3";
  report.metrics = {{Metric::instructions, 12345}, {Metric::theoretical_occupancy, 66.67}};
  report.compile_seconds = 0.5;
  EXPECT_EQ(text_report(report, {}), R"(axpy  k.cu, simulated NVIDIA H200, clang 14.0.6, seed 7

printed by the kernel:
x = 3

  instructions                                      12,345
  theoretical_occupancy                              66.67

nothing found; compiled in 0.50 s, ran in 0.00 s
)");
}

TEST(CheckText, AFloodOfOutputIsCutAfterAHundredLines) {
  CheckReport report;
  for (int i = 1; i <= 5000; ++i) report.output += fmt::format("line {}\n", i);
  report.output_cut = true;
  report.prints = 1'966'080;
  const std::string text = text_report(report, {});
  EXPECT_THAT(text, HasSubstr(R"(
line 100
... and more: printf was called 1,966,080 times, and the start is shown. Let one thread print, or a
few: if (blockIdx.x == 0 && threadIdx.x == 0) printf(...)
)"));
  EXPECT_THAT(text, Not(HasSubstr("line 101")));
}

TEST(CheckText, AFloodWithoutLinesIsCutToo) {
  CheckReport report;
  report.output = std::string(60'000, 'x');
  report.prints = 60'000;
  const std::string text = text_report(report, {});
  EXPECT_LT(text.size(), 9'000u);
  EXPECT_THAT(text, HasSubstr("x\n... and more: printf was called 60,000 times"));
}

TEST(CheckText, ALastLineThatFitsIsNoFlood) {
  CheckReport report;
  for (int i = 1; i <= 100; ++i) report.output += fmt::format("line {}\n", i);
  report.prints = 100;
  EXPECT_THAT(text_report(report, {}), Not(HasSubstr("and more")));
}

}  // namespace
}  // namespace tessera
