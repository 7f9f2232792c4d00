#include "grader/report/next_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/report/sample_accesses.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

std::vector<std::string> goals(const Record& record) {
  std::vector<std::string> all;
  for (const NextStep& step : next_steps(record, causes_of(record))) all.push_back(step.goal);
  return all;
}

using testing::ElementsAre;

TEST(NextSteps, ARaceExplainsTheWrongResult) {
  EXPECT_THAT(goals(failed_record()), ElementsAre("race in line 23"));
}

TEST(NextSteps, TwoLinesWithTheSameAdviceAreOneStep) {
  Record record = failed_record();
  Finding again = record.items[1].findings[0];
  again.line = 24;
  record.items[1].findings.push_back(again);
  EXPECT_THAT(goals(record), ElementsAre("race in line 23"));
}

TEST(NextSteps, AWrongResultAloneIsAStep) {
  Record record = failed_record();
  for (Item& item : record.items)
    std::erase_if(item.findings, [](const Finding& f) { return f.kind == FindingKind::race; });
  EXPECT_THAT(goals(record), testing::Contains("wrong-result"));
}

TEST(NextSteps, WhatIsWonNeedsNone) {
  EXPECT_THAT(goals(won_record()), ElementsAre());
}

TEST(NextSteps, AMissedCounterPointsAtTheLineThatWastesMost) {
  Record record = won_record();
  record.items[3].status = Status::fail;
  record.items[3].points = 0;
  record.items[3].goal.emplace();
  record.items[3].goal->metric = Metric::global_load_sectors_per_request;
  record.lines = {access_at(19, LineAccess::Memory::global, false, 10, column_of_a()),
                  access_at(20, LineAccess::Memory::global, false, 90, column_of_a())};
  const std::vector<NextStep> steps = next_steps(record, causes_of(record));
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].goal, "sectors per global load at most 4.5 (global_load_sectors_per_request)");
  EXPECT_EQ(steps[0].line, 20);
  EXPECT_THAT(steps[0].advice, testing::HasSubstr("walk down a column of A"));
}

TEST(NextSteps, AreThreeAtMostCausesBeforeConsequences) {
  Record record = failed_record();
  const Finding race = record.items[1].findings[0];
  for (const auto& [kind, line] :
       {std::pair{FindingKind::misaligned, 5}, std::pair{FindingKind::bad_launch, 0},
        std::pair{FindingKind::out_of_bounds, 7}}) {
    Finding finding = race;
    finding.kind = kind;
    finding.line = line;
    record.items[1].findings.push_back(finding);
  }
  EXPECT_THAT(goals(record), ElementsAre("bad-launch", "race in line 23", "misaligned in line 5"));
}

}  // namespace
}  // namespace tessera
