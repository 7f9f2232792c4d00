#include "grader/judge/points/technique.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TechniqueItem sectors() {
  TechniqueItem technique;
  technique.metric = Metric::global_load_sectors_per_request;
  technique.at_most = 4.5;
  technique.naive = 32;
  technique.good = 4;
  technique.points = 5;
  return technique;
}

TEST(Technique, IsAllOrNothing) {
  const Item won = technique_item(sectors(), {{Metric::global_load_sectors_per_request, 4.5}});
  EXPECT_EQ(won.status, Status::pass);
  EXPECT_EQ(won.points, 5);
  EXPECT_EQ(won.title, "global_load_sectors_per_request at most 4.5");
  const Item lost = technique_item(sectors(), {{Metric::global_load_sectors_per_request, 4.51}});
  EXPECT_EQ(lost.status, Status::fail);
  EXPECT_EQ(lost.points, 0);
}

TEST(Technique, StatesThreeNumbers) {
  const Item item = technique_item(sectors(), {{Metric::global_load_sectors_per_request, 16}});
  EXPECT_EQ(item.message.str(),
            "global_load_sectors_per_request is 16 (naive 32, good 4); required: at most 4.5");
  EXPECT_FALSE(item.hint.empty());
}

TEST(Technique, HasItsGoalAsData) {
  Goal goal;
  goal.metric = Metric::global_load_sectors_per_request;
  goal.at_most = 4.5;
  goal.naive = 32;
  goal.good = 4;
  EXPECT_EQ(technique_item(sectors(), {}).goal, goal);
  goal.value = 16;
  EXPECT_EQ(technique_item(sectors(), {{Metric::global_load_sectors_per_request, 16}}).goal, goal);
}

std::string hint_of(Metric metric, const std::string& own = "") {
  TechniqueItem technique;
  technique.metric = metric;
  technique.at_most = 10;
  technique.points = 5;
  technique.hint = own;
  return technique_item(technique, {{metric, 11}}).hint;
}

TEST(Technique, TheHintIsOfWhatIsTooMany) {
  EXPECT_THAT(hint_of(Metric::global_load_requests), HasSubstr("belongs in shared memory"));
  EXPECT_THAT(hint_of(Metric::global_load_requests), Not(HasSubstr("neighbouring")));
  EXPECT_THAT(hint_of(Metric::global_load_sectors),
              AllOf(HasSubstr("less often"), HasSubstr("neighbouring")));
  EXPECT_THAT(hint_of(Metric::global_load_sectors_per_request), HasSubstr("neighbouring lanes"));
}

TEST(Technique, TheHintForTooLittleIsAnother) {
  for (const Metric metric : metrics_asked_by(kTechnique)) {
    TechniqueItem technique;
    technique.metric = metric;
    technique.at_least = 10;
    const std::string hint = technique_item(technique, {{metric, 9}}).hint;
    EXPECT_NE(hint, "") << to_string(metric);
    if (metric == Metric::dynamic_shared_bytes) continue;
    EXPECT_NE(hint, hint_of(metric)) << to_string(metric);
  }
}

TEST(Technique, BeyondBothEndsTheHintIsOfTheEndThatIsMissed) {
  TechniqueItem technique;
  technique.metric = Metric::shared_load_requests;
  technique.at_least = 10;
  technique.at_most = 20;
  EXPECT_THAT(technique_item(technique, {{technique.metric, 9}}).hint, HasSubstr("__shared__"));
  EXPECT_THAT(technique_item(technique, {{technique.metric, 21}}).hint, HasSubstr("register"));
}

TEST(Technique, TheHintNamesWhatAThreadStoredItself) {
  TechniqueItem technique;
  technique.metric = Metric::results_through_shared;
  technique.at_least = 90;
  EXPECT_THAT(technique_item(technique, {{Metric::results_through_shared, 23}}).hint,
              HasSubstr("what a thread stored itself counts only if other threads read it too"));
}

TEST(Technique, ALabMayHintBetter) {
  EXPECT_EQ(hint_of(Metric::global_load_requests, "copy the weights, too"),
            "copy the weights, too");
}

TEST(Technique, ARatioOfNoRequestsFails) {
  const Item item =
      technique_item(sectors(), {{Metric::instructions, 100}, {Metric::global_load_requests, 0}});
  EXPECT_EQ(item.status, Status::fail);
  EXPECT_EQ(item.message.str(),
            "no global load was executed, so global_load_sectors_per_request is not known");
}

TEST(Technique, WhatThisMachineCannotCountIsDeferred) {
  TechniqueItem registers;
  registers.metric = Metric::registers_per_thread;
  registers.at_most = 64;
  registers.points = 5;
  EXPECT_EQ(technique_item(registers, {}).status, Status::deferred);
}

TEST(Technique, ARangeHasTwoEnds) {
  TechniqueItem bytes;
  bytes.metric = Metric::static_shared_bytes;
  bytes.at_least = 1;
  bytes.at_most = 2048;
  EXPECT_EQ(technique_item(bytes, {{Metric::static_shared_bytes, 0}}).status, Status::fail);
  EXPECT_EQ(technique_item(bytes, {{Metric::static_shared_bytes, 2048}}).status, Status::pass);
  EXPECT_EQ(technique_item(bytes, {{Metric::static_shared_bytes, 4096}}).status, Status::fail);
  EXPECT_EQ(technique_item(bytes, {{Metric::static_shared_bytes, 1}}).title,
            "static_shared_bytes at least 1 and at most 2,048");
}

/// At most 10 loads; atomics count as loads.
TechniqueItem few_loads() {
  TechniqueItem technique;
  technique.metric = Metric::global_load_requests;
  technique.at_most = 10;
  technique.points = 5;
  return technique;
}

TEST(Technique, AtomicsCountAgainstACeiling) {
  const Metrics metrics = {{Metric::global_load_requests, 2}, {Metric::global_atomic_requests, 9}};
  const Item item = technique_item(few_loads(), metrics);
  EXPECT_EQ(item.status, Status::fail);
  EXPECT_EQ(item.message.str(),
            "global_load_requests is 11, 9 of atomics among them; required: at most 10");
  // The metrics that a record keeps decide the same.
  EXPECT_EQ(technique_item(few_loads(), item.metrics).status, Status::fail);
}

TEST(Technique, EveryCeilingOnMemoryHasItsAtomics) {
  for (const Metric metric : metrics_asked_by(kTechnique)) {
    const std::string_view name = to_string(metric);
    const bool memory = name.starts_with("global_") || name.starts_with("shared_");
    const bool of_atomics = name.find("_atomic_") != name.npos;
    if (!memory || of_atomics || name.ends_with("_per_request")) continue;
    // These count atomics themselves.
    if (metric == Metric::global_load_bytes || metric == Metric::global_load_repeated_bytes)
      continue;
    EXPECT_NE(atomics_beside(metric), std::nullopt) << name;
  }
}

TEST(Technique, AtomicsDoNotReachAFloor) {
  TechniqueItem technique;
  technique.metric = Metric::shared_load_requests;
  technique.at_least = 10;
  technique.points = 5;
  EXPECT_EQ(technique_item(technique, {{Metric::shared_load_requests, 2},
                                       {Metric::shared_atomic_requests, 100}})
                .status,
            Status::fail);
}

Case sized_case(int n, bool hidden = false) {
  Case test_case;
  test_case.extents = {{"n", n}};
  test_case.data_name = "integers";
  test_case.hidden = hidden;
  test_case.counted = {Metric::global_load_requests, Metric::barriers};
  return test_case;
}

/// A lab that allows 10 loads at n = 100, growing with n, and asks for a barrier.
Lab counting_lab() {
  Lab lab;
  lab.operation = find_operation("adjacent_difference");
  lab.cases = {sized_case(100), sized_case(50), sized_case(1000, true)};
  TechniqueItem loads = few_loads();
  loads.scales_with = {{.name = "n"}};
  loads.lesson = true;
  TechniqueItem barriers;
  barriers.metric = Metric::barriers;
  barriers.at_least = 1;
  barriers.points = 5;
  lab.technique = {loads, barriers};
  return lab;
}

std::vector<Item> items_of(const Lab& lab, double shown, double small, double hidden) {
  const auto counters = [](double loads) {
    return Metrics{{Metric::global_load_requests, loads}, {Metric::barriers, 1}};
  };
  const Metrics all[] = {counters(shown), counters(small), counters(hidden)};
  return technique_items(lab, {{0, &all[0]}, {1, &all[1]}, {2, &all[2]}});
}

TEST(Technique, ARequirementGrowsWithTheCase) {
  const Lab lab = counting_lab();
  EXPECT_EQ(lab.counted_cases(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(lab.scaled(lab.technique[0], lab.cases[1]).at_most, 5);
  EXPECT_EQ(lab.scaled(lab.technique[1], lab.cases[1]).at_least, 1);
  EXPECT_EQ(items_of(lab, 10, 5, 100)[0].status, Status::pass);
}

TEST(Technique, ACaseMayCountForOtherRequirementsAlone) {
  Lab lab = counting_lab();
  lab.cases[1].counted = {Metric::barriers};
  EXPECT_EQ(items_of(lab, 10, 6, 100)[0].status, Status::pass);
}

TEST(Technique, ARequirementThatIsMissedInAnotherCaseIsMissed) {
  const std::vector<Item> items = items_of(counting_lab(), 10, 6, 100);
  EXPECT_EQ(items[0].status, Status::fail);
  EXPECT_EQ(items[0].points, 0);
  EXPECT_EQ(items[0].message.str(),
            "in n=50 integers: global_load_requests is 6; required: at most 5");
  // The numbers are those of that case, too.
  EXPECT_EQ(items[0].title, "global_load_requests at most 10");
  EXPECT_EQ(items[0].metrics.at(Metric::global_load_requests), 6);
  EXPECT_EQ(items[0].goal->at_most, 5);
}

TEST(Technique, OfAHiddenCaseNoNumberIsShown) {
  const std::vector<Item> items = items_of(counting_lab(), 10, 5, 101);
  EXPECT_EQ(items[0].status, Status::fail);
  EXPECT_EQ(
      items[0].message.str(),
      "missed in a hidden case; in the visible one global_load_requests is 10; required: at most "
      "10");
  EXPECT_EQ(items[0].metrics.at(Metric::global_load_requests), 10);
  EXPECT_EQ(items[0].goal->at_most, 10);
}

TEST(Technique, NothingIsWonWithoutTheLesson) {
  const std::vector<Item> items = items_of(counting_lab(), 11, 5, 100);
  EXPECT_EQ(items[0].status, Status::fail);
  EXPECT_EQ(items[1].status, Status::skipped);
  EXPECT_EQ(items[1].points, 0);
  EXPECT_THAT(items[1].message, HasSubstr("counts only with global_load_requests at most 10"));
  const std::vector<Item> won = items_of(counting_lab(), 9, 5, 100);
  EXPECT_EQ(won[1].status, Status::pass);
}

}  // namespace
}  // namespace tessera
