#include "grader/gradebook/report/standing.h"

#include <gmock/gmock.h>

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum Trouble;

constexpr UnixTime kNow = 1'000'000;

/// A mark with attempts of these points, each of another program.
Mark tried(const std::vector<double>& points) {
  Mark mark;
  mark.max_points = 100;
  mark.state = MarkState::graded;
  for (const double won : points) {
    AttemptOutcome outcome;
    outcome.state = MarkState::graded;
    outcome.raw = won;
    outcome.program = "program" + std::to_string(mark.history.size());
    mark.history.push_back(outcome);
  }
  mark.attempts = static_cast<int>(points.size());
  return mark;
}

Standing standing(const Mark& mark) {
  return standing_of(mark, std::nullopt, kNow);
}

TEST(Standing, ThreeAttemptsWithoutGainAreTrouble) {
  const Standing stuck = standing(tried({10, 40, 40, 35, 40}));
  EXPECT_EQ(stuck.attempts, 5);
  EXPECT_EQ(stuck.without_gain, 3);
  EXPECT_EQ(stuck.best, 40);
  EXPECT_THAT(stuck.troubles, ElementsAre(no_gain));
  EXPECT_THAT(standing(tried({10, 40, 40, 35})).troubles, IsEmpty());
}

TEST(Standing, AttemptsThatNeverWonAnythingAreWithoutGain) {
  EXPECT_EQ(standing(tried({0, 0, 0})).without_gain, 3);
  EXPECT_THAT(standing(tried({0, 0, 0})).troubles, ElementsAre(no_gain));
  EXPECT_THAT(standing(tried({0, 0})).troubles, IsEmpty());
}

TEST(Standing, AGainBeginsAnew) {
  EXPECT_EQ(standing(tried({0, 0, 0, 0, 5})).without_gain, 0);
  EXPECT_THAT(standing(tried({0, 0, 0, 0, 5})).troubles, IsEmpty());
}

TEST(Standing, WhoHasWonAllThatCanBeMeasuredIsNotStuck) {
  Mark mark = tried({80, 80, 80, 80});
  for (AttemptOutcome& outcome : mark.history) {
    outcome.deferred = 20;
    outcome.program = "one";
  }
  EXPECT_TRUE(standing(mark).finished);
  EXPECT_THAT(standing(mark).troubles, IsEmpty());
  mark.history.back().deferred = mark.history.front().deferred = 0;
  EXPECT_TRUE(standing(mark).finished);  // two of four had points that could not be measured
}

TEST(Standing, TheSameProgramAtTheEndIsTrouble) {
  Mark mark = tried({10, 40, 40});
  mark.history[2].program = mark.history[1].program;
  EXPECT_EQ(standing(mark).same, 2);
  EXPECT_THAT(standing(mark).troubles, ElementsAre(same_again));
  mark.history[2].program = mark.history[0].program;
  EXPECT_EQ(standing(mark).same, 1);
}

TEST(Standing, WhatWaitsOrFailedByOurFaultSaysNothing) {
  Mark mark = tried({10, 0, 0, 0});
  mark.history[1].state = MarkState::infra;
  mark.history[2].state = MarkState::waiting;
  EXPECT_EQ(standing(mark).attempts, 2);
  EXPECT_EQ(standing(mark).without_gain, 1);
}

TEST(Standing, NothingHandedInIsTroubleOnceItIsDue) {
  Mark mark;
  EXPECT_THAT(standing_of(mark, std::nullopt, kNow).troubles, ElementsAre(missing));
  EXPECT_THAT(standing_of(mark, kNow - 1, kNow).troubles, ElementsAre(missing));
  EXPECT_THAT(standing_of(mark, kNow, kNow).troubles, IsEmpty());
  mark.adjustment = 5;
  mark.points_by_hand = true;
  EXPECT_THAT(standing_of(mark, std::nullopt, kNow).troubles, IsEmpty());
}

TEST(Standing, UngradableAndLateAreTrouble) {
  Mark mark = tried({0});
  mark.state = mark.history[0].state = MarkState::ungradable;
  mark.late = true;
  EXPECT_THAT(standing(mark).troubles, ElementsAre(ungradable)) << "it costs nothing";
  mark.penalty = 1;
  EXPECT_THAT(standing(mark).troubles, ElementsAre(ungradable, late));
  EXPECT_EQ(standing(mark).attempts, 1);
}

}  // namespace
}  // namespace tessera
