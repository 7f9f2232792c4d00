#include "grader/report/causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

std::vector<std::string> names(const Record& record) {
  std::vector<std::string> all;
  for (const Cause& cause : causes_of(record))
    all.push_back(cause.title.empty() ? finding_name(cause.finding) : cause.title);
  return all;
}

Finding finding_of(FindingKind kind, int line, const std::string& hint) {
  Finding finding;
  finding.kind = kind;
  finding.file = line > 0 ? "kernel.cu" : "";
  finding.line = line;
  finding.message = std::string(to_string(kind)) + " happened";
  finding.hint = hint;
  return finding;
}

TEST(Causes, AWrongResultMayComeFromTheRaceOfItsCases) {
  const std::vector<Cause> causes = causes_of(failed_record());
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].after, std::nullopt);
  EXPECT_EQ(causes[0].finding.hint.str(), "put __syncthreads() between the two");
  EXPECT_THAT(causes[1].after, Optional(0u));
  EXPECT_EQ(causes[1].finding.hint.str(),
            "This may come from the race in line 23: repair that first.");
}

TEST(Causes, ADiagnosisThatNamesTheMistakeComesFirst) {
  Record record = failed_record();
  record.items[1].findings[1].example = {{"diagnosis", "missing-last-phase"}};
  const std::vector<Cause> causes = causes_of(record);
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].finding.hint.str(), "follow C[0][45] by hand");
  EXPECT_EQ(causes[1].finding.kind, FindingKind::race);
  for (const Cause& cause : causes) EXPECT_EQ(cause.after, std::nullopt);
}

TEST(Causes, ADiagnosisThatNamesASymptomComesBehindTheChecks) {
  Record record = failed_record();
  record.items[1].findings[1].example = {{"diagnosis", "zero"}};
  const std::vector<Cause> causes = causes_of(record);
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].finding.kind, FindingKind::race);
  EXPECT_EQ(causes[1].after, std::nullopt);
}

TEST(Causes, AWrongResultWhereNothingElseIsWrongStandsAlone) {
  Record record = failed_record();
  record.items[0].status = Status::fail;
  record.items[0].findings = {record.items[1].findings[1]};
  for (const Cause& cause : causes_of(record)) EXPECT_EQ(cause.after, std::nullopt);
}

TEST(Causes, AWarningExplainsNothing) {
  Record record = failed_record();
  for (Item& item : record.items) {
    for (Finding& finding : item.findings) {
      if (finding.kind == FindingKind::race) finding.severity = Severity::warning;
    }
  }
  for (const Cause& cause : causes_of(record)) EXPECT_EQ(cause.after, std::nullopt);
}

TEST(Causes, TwoPlacesWithOneRemedySayItOnce) {
  Record record = won_record();
  record.items[0].status = Status::fail;
  record.items[0].findings = {finding_of(FindingKind::out_of_bounds, 25, "ask for more bytes"),
                              finding_of(FindingKind::out_of_bounds, 30, "ask for more bytes"),
                              finding_of(FindingKind::race, 31, "ask for more bytes"),
                              finding_of(FindingKind::out_of_bounds, 32, "check the index")};
  const std::vector<Cause> causes = causes_of(record);
  ASSERT_EQ(causes.size(), 4u);
  EXPECT_THAT(causes[1].after, Optional(0u));
  EXPECT_EQ(causes[1].finding.hint.str(), "The same as for line 25.");
  EXPECT_EQ(causes[2].after, std::nullopt) << "another kind";
  EXPECT_EQ(causes[3].after, std::nullopt) << "another remedy";
}

TEST(Causes, TheCauseOfOtherFindingsComesFirst) {
  Record record = won_record();
  record.items[0].status = Status::fail;
  record.items[0].findings = {finding_of(FindingKind::wrong_result, 0, "a"),
                              finding_of(FindingKind::race, 20, "b"),
                              finding_of(FindingKind::bad_launch, 0, "c"),
                              finding_of(FindingKind::does_not_compile, 3, "d")};
  EXPECT_THAT(names(record), ElementsAre("does-not-compile in line 3", "bad-launch",
                                         "race in line 20", "wrong-result"));
}

TEST(Causes, WhatTheCompilerWarnsOfComesFirst) {
  Record record = won_record();
  Finding warning = finding_of(FindingKind::compiler_warning, 40, "write __syncthreads();");
  warning.severity = Severity::warning;
  record.items[0].status = Status::fail;
  record.items[0].findings = {finding_of(FindingKind::race, 20, "b"), warning};
  EXPECT_THAT(names(record), ElementsAre("compiler-warning in line 40", "race in line 20"));
  EXPECT_EQ(causes_of(record)[1].after, std::nullopt);
}

TEST(Causes, AMessageWithoutAFindingExplainsNoFinding) {
  Record record = won_record();
  record.items[0].status = Status::timeout;
  record.items[0].message = "stopped after 10 s";
  record.items[1].status = Status::fail;
  record.items[1].findings = {finding_of(FindingKind::wrong_result, 0, "follow it by hand")};
  EXPECT_THAT(names(record), ElementsAre("case 1", "wrong-result"));
}

TEST(Causes, AWonRecordHasNone) {
  EXPECT_THAT(causes_of(won_record()), IsEmpty());
}

TEST(ItemLabel, ANumberOfAnotherShapeNamesItsLimit) {
  Item item;
  item.id = "technique/1";
  item.title = "global_load_requests at most 12,000";
  item.status = Status::fail;
  item.metrics[Metric::global_load_requests] = 13000;
  item.goal.emplace();
  item.goal->metric = Metric::global_load_requests;
  item.goal->at_most = 12000;
  EXPECT_EQ(item_label(item), "global loads at most 12,000 (global_load_requests): 13,000");
  item.metrics[Metric::global_load_requests] = 896;
  item.goal->at_most = 600;
  EXPECT_EQ(item_label(item),
            "global loads at most 12,000 (global_load_requests): 896 in another shape, whose limit "
            "is 600");
}

std::string worded(std::string title) {
  Item item;
  item.title = std::move(title);
  return worded_title(item);
}

TEST(MetricWords, StandBeforeTheMetricsName) {
  EXPECT_EQ(worded("global_load_requests at most 16,000"),
            "global loads at most 16,000 (global_load_requests)");
  EXPECT_EQ(worded("speedup over 01-naive, all points at 1.2"),
            "speed-up over 01-naive, all points at 1.2 (speedup)");
  EXPECT_EQ(worded("time_ms, all points at 3"), "time, ms, all points at 3 (time_ms)");
}

TEST(MetricWords, LeaveOtherTitlesAlone) {
  EXPECT_EQ(worded("barriers at most 1,024"), "barriers at most 1,024");
  EXPECT_EQ(worded("no out-of-bounds, race"), "no out-of-bounds, race");
  EXPECT_EQ(worded(""), "");
}

TEST(MetricWords, EveryMetricWithAnUnderscoreHasSome) {
  for (const Metric metric : metrics_asked_by(kTechnique | kThreshold)) {
    const std::string_view name = to_string(metric);
    const bool needs_no_words = name.find('_') == name.npos;
    EXPECT_TRUE(needs_no_words || metric_words(metric) != name) << name;
  }
}

}  // namespace
}  // namespace tessera
