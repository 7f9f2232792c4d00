#include "grader/gradebook/report/time_scatter.h"

#include <gmock/gmock.h>

#include <limits>

#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Lab timed_lab() {
  Lab lab;
  Threshold speedup;
  speedup.metric = Metric::speedup;
  speedup.over = "01-naive";
  speedup.range = Threshold::Range{1, 1.25};
  Threshold time;
  time.metric = Metric::time_ms;
  time.devices = {{"NVIDIA H200", {6, 3}}};
  lab.thresholds = {speedup, time};
  return lab;
}

Item speedup_item(Status status, double speedup) {
  Item item = sample_item("performance/1", "speedup over 01-naive, all points at 1.25", status,
                          status == Status::pass ? 20 : 0, 20);
  if (speedup > 0)
    item.metrics = {
        {Metric::speedup, speedup}, {Metric::time_ms, 2}, {Metric::baseline_ms, 2 * speedup}};
  return item;
}

std::vector<double> values_of(const TimeScatter& scatter) {
  std::vector<double> values;
  for (const TimedKernel& kernel : scatter.kernels) values.push_back(kernel.value);
  return values;
}

TEST(TimeScatter, TimeOverBaselineIsTheInverseOfTheSpeedUp) {
  const Lab lab = timed_lab();
  TimeTally tally(&lab);
  tally.add(speedup_item(Status::fail, 0.8));
  tally.add(speedup_item(Status::pass, 2));
  ASSERT_THAT(tally.scatters(), SizeIs(1));
  const TimeScatter scatter = tally.scatters().front();
  EXPECT_EQ(scatter.axis, "time over baseline");
  EXPECT_THAT(values_of(scatter), ElementsAre(0.5, 1.25));  // the fastest first
  EXPECT_EQ(scatter.kernels[0].status, Status::pass);
  EXPECT_EQ(scatter.max_points, 20);
  ASSERT_THAT(scatter.limits, SizeIs(2));
  EXPECT_DOUBLE_EQ(scatter.limits[0].at, 0.8);
  EXPECT_EQ(scatter.limits[0].text, "all points: 0.8 (speedup 1.25)");
  EXPECT_DOUBLE_EQ(scatter.limits[1].at, 1);
  EXPECT_EQ(scatter.limits[1].text, "no points: 1 (speedup 1)");
}

TEST(TimeScatter, ATimeIsInMillisecondsWithTheLimitsOfItsDevice) {
  const Lab lab = timed_lab();
  TimeTally tally(&lab);
  Item item = sample_item("performance/2", "time_ms on NVIDIA H200, all points at 3",
                          Status::partial, 5, 10);
  item.metrics = {{Metric::time_ms, 4.5}, {Metric::gflops, 3000}};
  tally.add(item);
  const TimeScatter scatter = tally.scatters().front();
  EXPECT_EQ(scatter.axis, "time_ms");
  EXPECT_THAT(values_of(scatter), ElementsAre(4.5));
  EXPECT_EQ(scatter.limits[0].text, "all points: 3 time_ms on NVIDIA H200");
  EXPECT_EQ(scatter.limits[1].at, 6);
}

TEST(TimeScatter, MoreGflopsAreBetter) {
  TimeTally tally(nullptr);
  for (const double gflops : {10.0, 30.0, 20.0}) {
    Item item = sample_item("performance/1", "gflops, all points at 25", Status::fail, 0, 10);
    item.metrics = {{Metric::gflops, gflops}, {Metric::time_ms, 1}};
    tally.add(item);
  }
  EXPECT_THAT(values_of(tally.scatters().front()), ElementsAre(30, 20, 10));
  EXPECT_FALSE(tally.scatters().front().less_is_better);
}

TEST(TimeScatter, WhatHasNoTimeIsCounted) {
  TimeTally tally(nullptr);
  tally.add(speedup_item(Status::deferred, 0));
  tally.add(speedup_item(Status::deferred, 0));
  tally.add(speedup_item(Status::skipped, 0));
  tally.add(speedup_item(Status::fail, std::numeric_limits<double>::quiet_NaN()));
  tally.add(speedup_item(Status::pass, 2));
  const TimeScatter scatter = tally.scatters().front();
  EXPECT_EQ(scatter.deferred, 2);
  EXPECT_EQ(scatter.untimed, 2);
  EXPECT_THAT(scatter.kernels, SizeIs(1));
}

TEST(TimeScatter, AnItemThatTheLabNoLongerHasIsWithoutLimits) {
  Lab lab = timed_lab();
  lab.thresholds[0].metric = Metric::fraction_of_cublas;
  TimeTally tally(&lab);
  tally.add(speedup_item(Status::pass, 2));
  EXPECT_THAT(tally.scatters().front().limits, IsEmpty());
}

TEST(TimeScatter, OtherItemsAreNone) {
  TimeTally tally(nullptr);
  tally.add(sample_item("technique/1", "barriers at least 1", Status::pass, 1, 1));
  EXPECT_THAT(tally.scatters(), IsEmpty());
}

}  // namespace
}  // namespace tessera
