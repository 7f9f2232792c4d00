#include "grader/judge/technique.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TechniqueItem sectors() {
  TechniqueItem technique;
  technique.metric = "global_load_sectors_per_request";
  technique.at_most = 4.5;
  technique.naive = 32;
  technique.good = 4;
  technique.points = 5;
  return technique;
}

TEST(Technique, IsAllOrNothing) {
  const Item won = technique_item(sectors(), {{"global_load_sectors_per_request", 4.5}});
  EXPECT_EQ(won.status, Status::pass);
  EXPECT_EQ(won.points, 5);
  EXPECT_EQ(won.title, "global_load_sectors_per_request at most 4.5");
  const Item lost = technique_item(sectors(), {{"global_load_sectors_per_request", 4.51}});
  EXPECT_EQ(lost.status, Status::fail);
  EXPECT_EQ(lost.points, 0);
}

TEST(Technique, StatesThreeNumbers) {
  const Item item = technique_item(sectors(), {{"global_load_sectors_per_request", 16}});
  EXPECT_EQ(item.message,
            "global_load_sectors_per_request is 16 (naive 32, good 4); required: at most 4.5");
  EXPECT_FALSE(item.hint.empty());
}

TEST(Technique, TellsItsGoalAsData) {
  Goal goal;
  goal.metric = "global_load_sectors_per_request";
  goal.at_most = 4.5;
  goal.naive = 32;
  goal.good = 4;
  EXPECT_EQ(technique_item(sectors(), {}).goal, goal);
  goal.value = 16;
  EXPECT_EQ(technique_item(sectors(), {{"global_load_sectors_per_request", 16}}).goal, goal);
}

std::string hint_of(const std::string& metric, const std::string& own = "") {
  TechniqueItem technique;
  technique.metric = metric;
  technique.at_most = 10;
  technique.points = 5;
  technique.hint = own;
  return technique_item(technique, {{metric, 11}}).hint;
}

TEST(Technique, TheHintIsOfWhatIsTooMany) {
  EXPECT_THAT(hint_of("global_load_requests"), HasSubstr("belongs in shared memory"));
  EXPECT_THAT(hint_of("global_load_requests"), Not(HasSubstr("neighbouring")));
  EXPECT_THAT(hint_of("global_load_sectors"),
              AllOf(HasSubstr("less often"), HasSubstr("neighbouring")));
  EXPECT_THAT(hint_of("global_load_sectors_per_request"), HasSubstr("neighbouring lanes"));
}

TEST(Technique, TheHintForTooLittleIsAnother) {
  for (const auto& [metric, ignored] : counter_metrics()) {
    TechniqueItem technique;
    technique.metric = metric;
    technique.at_least = 10;
    const std::string hint = technique_item(technique, {{metric, 9}}).hint;
    EXPECT_NE(hint, "") << metric;
    if (metric == "dynamic_shared_bytes") continue;
    EXPECT_NE(hint, hint_of(metric)) << metric;
  }
}

TEST(Technique, BeyondBothEndsTheHintIsOfTheEndThatIsMissed) {
  TechniqueItem technique;
  technique.metric = "shared_load_requests";
  technique.at_least = 10;
  technique.at_most = 20;
  EXPECT_THAT(technique_item(technique, {{technique.metric, 9}}).hint, HasSubstr("__shared__"));
  EXPECT_THAT(technique_item(technique, {{technique.metric, 21}}).hint, HasSubstr("register"));
}

TEST(Technique, ALabMayHintBetter) {
  EXPECT_EQ(hint_of("global_load_requests", "copy the weights, too"), "copy the weights, too");
}

TEST(Technique, ARatioOfNoRequestsFails) {
  const Item item = technique_item(sectors(), {{"instructions", 100}, {"global_load_requests", 0}});
  EXPECT_EQ(item.status, Status::fail);
  EXPECT_EQ(item.message,
            "no global load was executed, so global_load_sectors_per_request is not known");
}

TEST(Technique, WhatThisMachineCannotTellIsDeferred) {
  TechniqueItem registers;
  registers.metric = "registers_per_thread";
  registers.at_most = 64;
  registers.points = 5;
  EXPECT_EQ(technique_item(registers, {}).status, Status::deferred);
}

TEST(Technique, ARangeHasTwoEnds) {
  TechniqueItem bytes;
  bytes.metric = "static_shared_bytes";
  bytes.at_least = 1;
  bytes.at_most = 2048;
  EXPECT_EQ(technique_item(bytes, {{"static_shared_bytes", 0}}).status, Status::fail);
  EXPECT_EQ(technique_item(bytes, {{"static_shared_bytes", 2048}}).status, Status::pass);
  EXPECT_EQ(technique_item(bytes, {{"static_shared_bytes", 4096}}).status, Status::fail);
  EXPECT_EQ(technique_item(bytes, {{"static_shared_bytes", 1}}).title,
            "static_shared_bytes at least 1 and at most 2,048");
}

}  // namespace
}  // namespace tessera
