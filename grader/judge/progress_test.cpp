#include "grader/judge/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Case progress_case(int m, bool hidden = false) {
  Case made;
  made.extents = {{"m", m}, {"n", 8}, {"k", 8}};
  made.hidden = hidden;
  return made;
}

Lab three_cases() {
  Lab lab;
  lab.id = "03-tiled";
  lab.operation = find_operation("matmul");
  lab.correctness_points = 30;
  lab.cases = {progress_case(16), progress_case(64), progress_case(128, true)};
  lab.checks_points = 10;
  lab.forbid = {FindingKind::race};
  TechniqueItem technique;
  technique.metric = Metric::barriers;
  technique.at_least = 1;
  technique.points = 5;
  lab.technique = {technique};
  return lab;
}

CaseOutcome passed_case() {
  CaseOutcome outcome;
  outcome.metrics = {{Metric::barriers, 4}};
  return outcome;
}

std::vector<Status> statuses(const std::vector<Item>& items) {
  std::vector<Status> words;
  for (const Item& item : items) words.push_back(item.status);
  return words;
}

double points(const std::vector<Item>& items) {
  Record record;
  record.items = items;
  sum_points(record);
  return record.score;
}

TEST(Progress, WhatNoCaseHasDecidedYetIsWorthNothingAndSaysWhy) {
  const auto items = items_so_far(three_cases(), {passed_case()});
  using enum Status;
  EXPECT_THAT(statuses(items), ElementsAre(pass, timeout, timeout, timeout, skipped));
  EXPECT_EQ(points(items), 10);
  for (const std::size_t i : {1u, 2u, 3u})
    EXPECT_THAT(items[i].message, HasSubstr("stopped before it came to this")) << items[i].id;
}

TEST(Progress, AllPointsAreThereFromTheStart) {
  const auto items = items_so_far(three_cases(), {});
  double most = 0;
  for (const Item& item : items) most += item.max_points;
  EXPECT_EQ(items.size(), 5u);
  EXPECT_EQ(most, 45);
  EXPECT_EQ(points(items), 0);
}

TEST(Progress, AForbiddenFindingFailsTheChecksAtOnce) {
  CaseOutcome racy = passed_case();
  Finding race;
  race.kind = FindingKind::race;
  racy.findings = {race};
  EXPECT_EQ(items_so_far(three_cases(), {racy})[3].status, Status::fail);
}

TEST(Progress, WithTheLastCaseItIsWhatTheCasesWeigh) {
  const std::vector<CaseOutcome> all = {passed_case(), passed_case(), passed_case()};
  EXPECT_EQ(statuses(items_so_far(three_cases(), all)), statuses(weigh(three_cases(), all)));
  EXPECT_EQ(points(items_so_far(three_cases(), all)), 45);
}

Threshold threshold(Metric metric) {
  Threshold made;
  made.metric = metric;
  made.range = Threshold::Range{1, 2};
  made.points = 10;
  return made;
}

TEST(Progress, ATimeThatIsStillModelledIsNotDeferred) {
  Lab lab = three_cases();
  lab.thresholds = {threshold(Metric::modelled_time_ms), threshold(Metric::time_ms)};
  Machine machine;
  const auto items =
      with_unmeasured(lab, weigh(lab, {passed_case(), passed_case(), passed_case()}), machine);
  EXPECT_EQ(items[5].status, Status::timeout);
  EXPECT_EQ(items[6].status, Status::deferred) << "there is no GPU to measure it";
}

}  // namespace
}  // namespace tessera
