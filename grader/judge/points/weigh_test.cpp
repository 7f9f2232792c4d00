#include "grader/judge/points/weigh.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/judge/points/merge.h"

namespace tessera {
namespace {

using testing::HasSubstr;

Case case_of(int m, const std::string& data, bool hidden = false) {
  Case test_case;
  test_case.extents = {{"m", m}, {"n", 8}, {"k", 8}};
  test_case.data_name = data;
  test_case.hidden = hidden;
  return test_case;
}

Lab sample_lab() {
  Lab lab;
  lab.id = "03-tiled";
  lab.operation = find_operation("matmul");
  lab.kernel = "matmul";
  lab.correctness_points = 50;
  lab.cases = {case_of(16, "identity"), case_of(64, "uniform"), case_of(128, "uniform", true)};
  lab.checks_points = 10;
  lab.forbid = {FindingKind::race, FindingKind::out_of_bounds};
  TechniqueItem technique;
  technique.metric = Metric::barriers;
  technique.at_least = 1;
  technique.points = 5;
  lab.technique = {technique};
  Threshold threshold;
  threshold.metric = Metric::speedup;
  threshold.over = "01-naive";
  threshold.range = Threshold::Range{1.0, 1.2};
  threshold.points = 20;
  lab.thresholds = {threshold};
  return lab;
}

Finding finding_of(FindingKind kind, int line, const std::string& message) {
  Finding finding;
  finding.kind = kind;
  finding.file = "kernel.cu";
  finding.line = line;
  finding.message = message;
  return finding;
}

CaseOutcome passed() {
  CaseOutcome outcome;
  outcome.metrics = {{Metric::barriers, 4}};
  return outcome;
}

CaseOutcome failed(const Finding& finding, Status status = Status::fail) {
  CaseOutcome outcome;
  outcome.status = status;
  outcome.message = finding.message;
  outcome.findings = {finding};
  return outcome;
}

const Item& item(const std::vector<Item>& items, const std::string& id) {
  for (const Item& candidate : items) {
    if (candidate.id == id) return candidate;
  }
  throw std::runtime_error("no item " + id);
}

TEST(Weigh, AllRightWinsAllThatCanBeMeasured) {
  const auto items = weigh(sample_lab(), {passed(), passed(), passed()});
  Record record;
  record.items = items;
  sum_points(record);
  EXPECT_EQ(record.score, 65);
  EXPECT_EQ(record.max_score, 85);
  EXPECT_EQ(record.deferred, 20);
  EXPECT_EQ(exit_status({record}), 0);
  EXPECT_EQ(item(items, "correctness/1").title, "m=16 n=8 k=8 identity");
  EXPECT_EQ(item(items, "performance/1").status, Status::deferred);
  EXPECT_EQ(item(items, "performance/1").message.str(), "needs a GPU");
}

TEST(Weigh, CasesSharePointsAndTheRestWaitsForAll) {
  const Finding wrong = finding_of(FindingKind::wrong_result, 0, "C is wrong");
  const auto items = weigh(sample_lab(), {passed(), failed(wrong), passed()});
  EXPECT_NEAR(item(items, "correctness/1").points, 50.0 / 3, 1e-12);
  EXPECT_EQ(item(items, "correctness/2").points, 0);
  EXPECT_EQ(item(items, "correctness/2").message, "C is wrong");
  EXPECT_EQ(item(items, "technique/1").status, Status::skipped);
  EXPECT_EQ(item(items, "technique/1").points, 0);
  EXPECT_EQ(item(items, "performance/1").status, Status::skipped);
}

TEST(Weigh, AForbiddenFindingCostsTheChecksAndWhatWaitsForThem) {
  CaseOutcome racy = passed();
  racy.findings = {finding_of(FindingKind::race, 23, "As[3] and 7 threads")};
  CaseOutcome racy_too = passed();
  racy_too.findings = {finding_of(FindingKind::race, 23, "As[12] and 1,024 threads")};
  const auto items = weigh(sample_lab(), {racy, racy_too, passed()});
  EXPECT_EQ(item(items, "correctness/1").status, Status::pass);
  const Item& checks = item(items, "checks");
  EXPECT_EQ(checks.status, Status::fail);
  EXPECT_EQ(checks.points, 0);
  ASSERT_EQ(checks.findings.size(), 1u);
  EXPECT_EQ(checks.findings[0].count, 2u);
  EXPECT_EQ(checks.message.str(), "found: race in line 23");
  const Item& technique = item(items, "technique/1");
  EXPECT_EQ(technique.status, Status::skipped);
  EXPECT_EQ(technique.points, 0);
  EXPECT_EQ(technique.metrics.at(Metric::barriers), 4) << "the student sees what was counted";
  EXPECT_EQ(technique.message.str(),
            "barriers is 4; required: at least 1; it counts only with checks");
  EXPECT_EQ(item(items, "performance/1").status, Status::skipped);
  EXPECT_EQ(item(items, "performance/1").message.str(),
            "no time is measured; it counts only with checks");
}

TEST(Weigh, AMistakeThatTheLabDoesNotForbidCostsNothing) {
  Lab lab = sample_lab();
  lab.forbid = {FindingKind::out_of_bounds};
  CaseOutcome racy = passed();
  racy.findings = {finding_of(FindingKind::race, 23, "As[3]")};
  const auto items = weigh(lab, {racy, passed(), passed()});
  EXPECT_EQ(item(items, "checks").status, Status::pass);
  EXPECT_EQ(item(items, "technique/1").status, Status::pass);
  EXPECT_EQ(item(items, "performance/1").status, Status::deferred);
}

TEST(Weigh, ALabThatForbidsRacesForbidsThoseOfAsynchronousWork) {
  for (const FindingKind kind : {FindingKind::unfinished_copy, FindingKind::unfinished_product,
                                 FindingKind::missing_fence}) {
    CaseOutcome outcome = passed();
    outcome.findings = {finding_of(kind, 23, "As[3]")};
    Lab lab = sample_lab();
    EXPECT_TRUE(lab.forbids(kind));
    const std::vector<Item> items = weigh(lab, {passed(), outcome, passed()});
    const Item checks = *std::ranges::find(items, "checks", &Item::id);
    EXPECT_EQ(checks.points, 0) << to_string(kind);
    lab.forbid = {FindingKind::out_of_bounds};
    EXPECT_FALSE(lab.forbids(kind));
  }
}

TEST(Weigh, WarningsAndKindsNotForbiddenCostNothing) {
  CaseOutcome outcome = passed();
  outcome.findings = {finding_of(FindingKind::race, 23, "same value"),
                      finding_of(FindingKind::misaligned, 24, "x")};
  outcome.findings[0].severity = Severity::warning;
  const auto items = weigh(sample_lab(), {outcome, passed(), passed()});
  EXPECT_EQ(item(items, "checks").status, Status::pass);
}

TEST(Weigh, ChecksNeedACaseThatPassed) {
  const CaseOutcome wrong = failed(finding_of(FindingKind::wrong_result, 0, "wrong"));
  const auto items = weigh(sample_lab(), {wrong, wrong, wrong});
  EXPECT_EQ(item(items, "checks").status, Status::skipped);
  EXPECT_EQ(item(items, "checks").points, 0);
}

TEST(Weigh, ChecksAreWonInTheCasesThatPass) {
  const CaseOutcome wrong = failed(finding_of(FindingKind::wrong_result, 0, "wrong"));
  const Item two_pass = item(weigh(sample_lab(), {passed(), wrong, passed()}), "checks");
  EXPECT_EQ(two_pass.status, Status::partial);
  EXPECT_NEAR(two_pass.points, 10 * 2.0 / 3, 1e-12);
  EXPECT_EQ(two_pass.message.str(),
            "checked in the 2 cases of 3 that pass: the share of the other cases is won once they "
            "pass too");
  const Item one_passes = item(weigh(sample_lab(), {wrong, passed(), wrong}), "checks");
  EXPECT_NEAR(one_passes.points, 10 / 3.0, 1e-12);
  EXPECT_THAT(one_passes.message, HasSubstr("checked in the 1 case of 3 that passes"));
  const Item all = item(weigh(sample_lab(), {passed(), passed(), passed()}), "checks");
  EXPECT_EQ(all.points, 10);
  EXPECT_EQ(all.message.str(), "");
}

TEST(Weigh, ChecksWaitForTheSimulator) {
  CaseOutcome on_gpu = passed();
  on_gpu.checks = AccessChecks::left_out;
  CaseOutcome failed_grader = passed();
  failed_grader.status = Status::infra;
  for (const CaseOutcome& outcome : {on_gpu, failed_grader}) {
    const auto items = weigh(sample_lab(), {passed(), outcome, passed()});
    EXPECT_EQ(item(items, "checks").status, Status::deferred);
    EXPECT_EQ(item(items, "checks").points, 0);
  }
  on_gpu.findings = {finding_of(FindingKind::out_of_bounds, 23, "C[9]")};
  EXPECT_EQ(item(weigh(sample_lab(), {passed(), on_gpu, passed()}), "checks").status, Status::fail);
}

TEST(Weigh, AHiddenCaseShowsNeitherShapeNorValues) {
  Finding wrong = finding_of(FindingKind::wrong_result, 0, "C[126][3] is 1, expected 2");
  wrong.hint = "follow C[126][3]";
  wrong.example = {{"element", "C[126][3]"}};
  CaseOutcome outcome = failed(wrong);
  outcome.hint = wrong.hint;
  outcome.metrics = {{Metric::instructions, 12345}};
  outcome.map = result_map("C", 128, 8, [](int, int) { return ElementState::wrong; });
  const auto items = weigh(sample_lab(), {passed(), passed(), outcome});
  const Item& hidden = item(items, "correctness/3");
  EXPECT_TRUE(hidden.hidden);
  EXPECT_FALSE(item(items, "correctness/1").hidden);
  EXPECT_EQ(hidden.title, "hidden case 1");
  EXPECT_EQ(hidden.message.str(), "the result is wrong in a case that is not shown");
  EXPECT_TRUE(hidden.metrics.empty());
  EXPECT_FALSE(hidden.map);
  ASSERT_EQ(hidden.findings.size(), 1u);
  EXPECT_EQ(hidden.findings[0].kind, FindingKind::wrong_result);
  for (const Text& text :
       {hidden.message, hidden.hint, hidden.findings[0].message, hidden.findings[0].hint}) {
    EXPECT_EQ(text.str().find("126"), std::string::npos) << text;
  }
  EXPECT_TRUE(hidden.findings[0].example.empty());
}

TEST(Weigh, AVisibleCaseHasTheMapOfItsOutput) {
  CaseOutcome outcome = failed(finding_of(FindingKind::wrong_result, 0, "C is wrong"));
  outcome.map = result_map("C", 64, 8, [](int, int) { return ElementState::wrong; });
  const auto items = weigh(sample_lab(), {passed(), outcome, passed()});
  EXPECT_FALSE(item(items, "correctness/1").map);
  EXPECT_EQ(item(items, "correctness/2").map, outcome.map);
}

TEST(Weigh, GoalsAreSetEvenIfNothingWasMeasured) {
  const CaseOutcome wrong = failed(finding_of(FindingKind::wrong_result, 0, "C is wrong"));
  Lab lab = sample_lab();
  lab.thresholds.push_back({Metric::time_ms, "", std::nullopt, {{"NVIDIA H200", {6, 3}}}, 10});
  const auto items = weigh(lab, {passed(), wrong, passed()});
  Goal barriers;
  barriers.metric = Metric::barriers;
  barriers.at_least = 1;
  EXPECT_EQ(item(items, "technique/1").goal, barriers) << "skipped: no value";
  Goal speedup;
  speedup.metric = Metric::speedup;
  speedup.over = "01-naive";
  speedup.zero = 1.0;
  speedup.full = 1.2;
  EXPECT_EQ(item(items, "performance/1").goal, speedup);
  Goal time;
  time.metric = Metric::time_ms;
  time.device = "NVIDIA H200";
  time.zero = 6;
  time.full = 3;
  EXPECT_EQ(item(items, "performance/2").goal, time);
  EXPECT_FALSE(item(items, "correctness/1").goal);
}

TEST(Weigh, AHiddenFindingAddsToTheVisibleOneOfItsKind) {
  CaseOutcome racy = passed();
  racy.findings = {finding_of(FindingKind::race, 23, "As[3]")};
  CaseOutcome elsewhere = passed();
  elsewhere.findings = {finding_of(FindingKind::race, 25, "As[126]")};
  const auto items = weigh(sample_lab(), {racy, passed(), elsewhere});
  const Item& checks = item(items, "checks");
  ASSERT_EQ(checks.findings.size(), 1u);
  EXPECT_EQ(checks.findings[0].message.str(), "As[3]");
  EXPECT_EQ(checks.findings[0].count, 2u);
}

TEST(Weigh, AHiddenFindingStandsAloneIfNoVisibleCaseHasItsKind) {
  CaseOutcome racy = passed();
  racy.findings = {finding_of(FindingKind::race, 23, "As[3]")};
  CaseOutcome other = passed();
  other.findings = {finding_of(FindingKind::out_of_bounds, 23, "A[126]")};
  const auto items = weigh(sample_lab(), {racy, passed(), other});
  const Item& checks = item(items, "checks");
  EXPECT_EQ(checks.message.str(), "found: race in line 23, out-of-bounds");
  ASSERT_EQ(checks.findings.size(), 2u);
  EXPECT_THAT(checks.findings[1].message, HasSubstr("a case that is not shown"));
}

/// All that the grader reveals of a case, except its title.
std::string all_of(const Item& item) {
  std::string text = fmt::format("{} {} {}|{}|{}|", to_string(item.status), item.seconds,
                                 item.points, item.message.str(), item.hint.str());
  for (const Finding& finding : item.findings) {
    text += fmt::format("{} {} {}:{}:{} {} {} {}|", to_string(finding.kind),
                        to_string(finding.severity), finding.file, finding.line, finding.column,
                        finding.message.str(), finding.hint.str(), finding.count);
    for (const auto& [key, value] : finding.example) text += key + value;
  }
  for (const auto& [metric, value] : item.metrics)
    text += fmt::format("{}={}", to_string(metric), value);
  if (item.map) text += "map";
  return text;
}

std::string all_of(const std::vector<Item>& items) {
  std::string text;
  for (const Item& each : items) text += all_of(each) + "\n";
  return text;
}

/// A kernel could use each of these to reveal the extents of a hidden case.
TEST(Weigh, HiddenCasesThatFailInOneKindLookAlike) {
  const CaseOutcome plain =
      failed(finding_of(FindingKind::out_of_bounds, 23, "reads A[37]"), Status::fail);
  const auto seen = [](const CaseOutcome& hidden) {
    CaseOutcome visible = passed();
    visible.findings = {finding_of(FindingKind::race, 40, "As[3]")};
    return all_of(weigh(sample_lab(), {visible, passed(), hidden}));
  };
  const std::string expected = seen(plain);
  const auto expect_alike = [&](const char* channel, auto change) {
    CaseOutcome other = plain;
    change(other);
    EXPECT_EQ(seen(other), expected) << channel;
  };
  expect_alike("line", [](CaseOutcome& outcome) { outcome.findings[0].line = 24; });
  expect_alike("line of a visible finding",
               [](CaseOutcome& outcome) { outcome.findings[0].line = 40; });
  expect_alike("column", [](CaseOutcome& outcome) { outcome.findings[0].column = 3; });
  expect_alike("count", [](CaseOutcome& outcome) { outcome.findings[0].count = 37; });
  expect_alike("example", [](CaseOutcome& outcome) {
    outcome.findings[0].example = {{"element", "A[37]"}};
  });
  expect_alike("message", [](CaseOutcome& outcome) {
    outcome.message = outcome.findings[0].message = "reads B[1]";
  });
  expect_alike("hint",
               [](CaseOutcome& outcome) { outcome.hint = outcome.findings[0].hint = "37"; });
  expect_alike("a second finding of the kind", [](CaseOutcome& outcome) {
    outcome.findings.push_back(finding_of(FindingKind::out_of_bounds, 30, "reads B[2]"));
  });
  expect_alike("a finding of another kind", [](CaseOutcome& outcome) {
    outcome.findings.push_back(finding_of(FindingKind::race, 30, "As[126]"));
  });
  expect_alike("a warning", [](CaseOutcome& outcome) {
    outcome.findings.push_back(finding_of(FindingKind::uninitialized_read, 30, "reads C[2]"));
    outcome.findings.back().severity = Severity::warning;
  });
  expect_alike("time", [](CaseOutcome& outcome) { outcome.seconds = 3.7; });
  expect_alike("counters", [](CaseOutcome& outcome) {
    outcome.metrics = {{Metric::barriers, 37}};
  });
  expect_alike("map", [](CaseOutcome& outcome) {
    outcome.map = result_map("C", 37, 8, [](int, int) { return ElementState::wrong; });
  });
}

TEST(Weigh, CountersComeFromTheLargestVisibleCase) {
  CaseOutcome small = passed();
  small.metrics = {{Metric::barriers, 0}};
  CaseOutcome hidden = passed();
  hidden.metrics = {{Metric::barriers, 0}};
  const auto items = weigh(sample_lab(), {small, passed(), hidden});
  EXPECT_EQ(item(items, "technique/1").status, Status::pass);
  EXPECT_EQ(item(items, "technique/1").metrics.at(Metric::barriers), 4);
}

TEST(Weigh, AModelledTimeWaitsForTheLesson) {
  Lab lab = sample_lab();
  lab.technique[0].lesson = true;
  lab.technique[0].at_least = 5;
  lab.thresholds.push_back({Metric::modelled_time_ms, "", Threshold::Range{2, 1}, {}, 10});
  const auto items = weigh(lab, {passed(), passed(), passed()});
  EXPECT_EQ(item(items, "technique/1").status, Status::fail);
  EXPECT_EQ(item(items, "performance/1").status, Status::deferred) << "measured, not modelled";
  EXPECT_EQ(item(items, "performance/2").status, Status::skipped);
  EXPECT_EQ(item(items, "performance/2").message.str(),
            "no time is modelled; it counts only with barriers at least 5");
}

TEST(Weigh, WhatTheSimulatorCannotJudgeIsNotWonAndInTheTotal) {
  const Finding unknown = finding_of(FindingKind::unsupported_instruction, 9, "wgmma");
  const auto items = weigh(sample_lab(), {passed(), failed(unknown, Status::review), passed()});
  for (const char* id : {"correctness/2", "checks", "technique/1", "performance/1"}) {
    EXPECT_EQ(item(items, id).status, Status::review) << id;
    EXPECT_EQ(item(items, id).points, 0) << id;
  }
  Record record;
  record.items = items;
  sum_points(record);
  EXPECT_EQ(record.deferred, 0);
  EXPECT_EQ(exit_status({record}), 1);
}

TEST(Weigh, WhatAGpuJudgedInItsPlaceLeavesTheRestToAPerson) {
  CaseOutcome on_gpu = passed();
  on_gpu.checks = AccessChecks::impossible;
  on_gpu.metrics.clear();
  const auto items = weigh(sample_lab(), {on_gpu, on_gpu, on_gpu});
  EXPECT_EQ(item(items, "correctness/1").status, Status::pass);
  EXPECT_EQ(item(items, "checks").status, Status::review);
  EXPECT_EQ(item(items, "technique/1").status, Status::review);
  EXPECT_EQ(item(items, "performance/1").status, Status::deferred) << "a GPU measures times";
}

TEST(Weigh, FlagsLeaveTheChecksToAPerson) {
  CaseOutcome limited = passed();
  limited.checks = AccessChecks::limited;
  limited.extra_order = {ExtraOrder::By::fence, 12};
  const auto items = weigh(sample_lab(), {passed(), limited, passed()});
  EXPECT_EQ(item(items, "checks").status, Status::review);
  EXPECT_THAT(item(items, "checks").message,
              HasSubstr("(a fence in line 12): whether that is enough, a person has to judge"));
  EXPECT_THAT(item(items, "checks").hint, HasSubstr("volatile"));
  EXPECT_EQ(item(items, "checks").points, 0);
  EXPECT_EQ(item(items, "technique/1").status, Status::pass);
}

TEST(Weigh, AssemblyLeavesTheChecksToAPerson) {
  CaseOutcome assembly = passed();
  assembly.checks = AccessChecks::assembly;
  const auto items = weigh(sample_lab(), {assembly, assembly, assembly});
  EXPECT_EQ(item(items, "checks").status, Status::review);
  EXPECT_THAT(item(items, "checks").message, HasSubstr("inline assembly"));
  EXPECT_EQ(item(items, "technique/1").status, Status::pass);
}

TEST(Weigh, OurOwnFailuresCostNothing) {
  CaseOutcome failed_grader = passed();
  failed_grader.status = Status::infra;
  const auto items = weigh(sample_lab(), {passed(), failed_grader, passed()});
  EXPECT_EQ(item(items, "technique/1").status, Status::infra);
  EXPECT_EQ(item(items, "performance/1").status, Status::infra);
  Record record;
  record.items = items;
  sum_points(record);
  EXPECT_EQ(exit_status({record}), 3);
  EXPECT_NEAR(record.max_score - record.deferred, record.score, 1e-9);
}

TEST(Weigh, NothingRanIsReportedOnce) {
  const Finding error = finding_of(FindingKind::does_not_compile, 3, "expected ';'");
  const auto items = weigh_nothing(sample_lab(), Status::error, "expected ';'", "", {error});
  EXPECT_EQ(item(items, "correctness/1").findings.size(), 1u);
  EXPECT_TRUE(item(items, "correctness/2").findings.empty());
  EXPECT_EQ(item(items, "correctness/2").status, Status::error);
  EXPECT_EQ(item(items, "checks").status, Status::skipped);
  EXPECT_EQ(item(items, "technique/1").status, Status::skipped);
  EXPECT_EQ(item(items, "performance/1").status, Status::skipped);
}

TEST(Weigh, NothingRanThroughOurFaultCostsNothing) {
  Record record;
  record.items = weigh_nothing(sample_lab(), Status::infra, "no compiler", "", {});
  sum_points(record);
  EXPECT_EQ(record.deferred, record.max_score);
  EXPECT_EQ(exit_status({record}), 3);
}

TEST(ExitStatus, IsOneWhereAPointWasLost) {
  Record record;
  record.items = weigh(sample_lab(),
                       {passed(), passed(), failed(finding_of(FindingKind::wrong_result, 0, "x"))});
  EXPECT_EQ(exit_status({record}), 1);
}

TEST(FindingMerger, TheBarrierThatCuresBothRacesIsReported) {
  Finding warp;
  warp.kind = FindingKind::race;
  warp.line = 24;
  warp.message = Phrase::race_no_warp_barrier;
  warp.hint = "__syncwarp() is missing between line 20 and line 24.";
  warp.count = 2;
  Finding block = warp;
  block.message = Phrase::race_no_barrier;
  block.hint = "__syncthreads() is missing between line 20 and line 24.";
  block.count = 5;
  for (const auto& [first, second] : {std::pair(warp, block), std::pair(block, warp)}) {
    FindingMerger merger;
    merger.add(first);
    merger.add(second);
    ASSERT_EQ(merger.findings().size(), 1u);
    EXPECT_EQ(merger.findings()[0].hint, block.hint);
    EXPECT_EQ(merger.findings()[0].count, 7u);
  }
  FindingMerger alone;
  alone.add(warp);
  alone.add(warp);
  EXPECT_EQ(alone.findings().at(0).hint, warp.hint);
}

TEST(CauseOf, DoesNotSeeNumbers) {
  const auto cause = [](int line, const std::string& message) {
    return cause_of(finding_of(FindingKind::race, line, message));
  };
  EXPECT_EQ(cause(3, "C[3][5] is 1,024.5"), cause(3, "C[12][0] is 7"));
  EXPECT_NE(cause(3, "C[3][5] is 1"), cause(4, "C[3][5] is 1"));
  EXPECT_NE(cause(3, "C[3] is 1"), cause(3, "A[3] is 1"));
  EXPECT_EQ(cause(3, "writes C[3], past C (4 elements)"),
            cause(3, "writes C[3][0] (that is C[2][5]), past C (3 x 5 (as given))"));
}

}  // namespace
}  // namespace tessera
