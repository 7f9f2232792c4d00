#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "grader/report/pictures/pictures.h"
#include "grader/report/pictures/testing.h"
#include "grader/report/pictures/time_bars.h"
#include "grader/report/sample_record.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Item measured(Metric metric, double value, double zero, double full) {
  Item item = sample_item("performance/1", std::string(to_string(metric)), Status::partial, 5, 10);
  item.goal.emplace();
  item.goal->metric = metric;
  item.goal->value = value;
  item.goal->zero = zero;
  item.goal->full = full;
  return item;
}

Item speedup() {
  Item item = measured(Metric::speedup, 1.25, 1, 2);
  item.goal->over = "01-naive";
  item.goal->roof = Roof{0.5, 0.25};
  item.metrics = {{Metric::time_ms, 8}, {Metric::baseline_ms, 10}};
  return item;
}

/// "your kernel 8, ..."
std::vector<std::string> labels_of(const Item& item) {
  std::vector<std::string> all;
  for (const TimeBar& bar : time_bars(item)) all.push_back(bar.label + " " + time_label(bar.ms));
  return all;
}

TEST(TimeBars, OfASpeedupAreTimesOfTheBaseline) {
  EXPECT_THAT(labels_of(speedup()),
              ElementsAre("your kernel 8 ms", "01-naive 10 ms", "no points from 10 ms",
                          "all points up to 5 ms", "roof: arithmetic 0.5 ms"));
}

TEST(TimeBars, OfATimeAreTheThresholds) {
  Item item = measured(Metric::time_ms, 4, 6, 3);
  item.metrics = {{Metric::time_ms, 4}};
  item.goal->roof = Roof{0, 0.25};
  EXPECT_THAT(labels_of(item), ElementsAre("your kernel 4 ms", "no points from 6 ms",
                                           "all points up to 3 ms", "roof: memory 0.25 ms"));
}

TEST(TimeBars, OfARateAreInverse) {
  Item item = measured(Metric::gflops, 1000, 500, 4000);
  item.metrics = {{Metric::time_ms, 4}, {Metric::gflops, 1000}};
  EXPECT_THAT(labels_of(item),
              ElementsAre("your kernel 4 ms", "no points from 8 ms", "all points up to 1 ms"));
}

TEST(TimeBars, OfCublasNameIt) {
  Item item = measured(Metric::fraction_of_cublas, 0.25, 0, 0.5);
  item.metrics = {{Metric::time_ms, 4}, {Metric::baseline_ms, 1}};
  EXPECT_THAT(labels_of(item),
              ElementsAre("your kernel 4 ms", "cuBLAS 1 ms", "all points up to 2 ms"));
}

TEST(TimeBars, AModelledTimeSaysSo) {
  Item item = measured(Metric::modelled_time_ms, 4, 6, 3);
  item.metrics = {{Metric::modelled_time_ms, 4}};
  EXPECT_THAT(labels_of(item), ElementsAre("your kernel (model) 4 ms", "no points from 6 ms",
                                           "all points up to 3 ms"));
}

TEST(TimeBars, WhatIsNoTimeIsLeftOut) {
  Item item = speedup();
  item.metrics[Metric::baseline_ms] = std::numeric_limits<double>::quiet_NaN();
  item.goal->zero = std::numeric_limits<double>::infinity();
  item.goal->roof = Roof{std::numeric_limits<double>::quiet_NaN(), -1};
  EXPECT_THAT(labels_of(item), ElementsAre("your kernel 8 ms"));
  EXPECT_EQ(time_text(item, {}), "") << "there is nothing to compare it with";
  EXPECT_EQ(time_svg(item), "");
  item.metrics[Metric::time_ms] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(labels_of(item), IsEmpty());
}

TEST(TimePicture, NeedsAMeasurement) {
  Item item = speedup();
  item.metrics.clear();
  EXPECT_EQ(time_text(item, {}), "");
  EXPECT_EQ(time_svg(item), "");
  item = speedup();
  item.goal.reset();
  EXPECT_EQ(time_text(item, {}), "");
}

TEST(TimeText, Golden) {
  EXPECT_EQ(time_text(speedup(), {}), R"(    time, shorter is better
    your kernel       ████████████████████████████████████████  8 ms
    01-naive          ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓  10 ms
    no points from    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  10 ms
    all points up to  ░░░░░░░░░░░░░░░░░░░░░░░░░  5 ms
    roof: arithmetic  ▒▒  0.5 ms
)");
  EXPECT_EQ(time_text(speedup(), ascii_options()), R"(    time, shorter is better
    your kernel       ########################################  8 ms
    01-naive          ==================================================  10 ms
    no points from    --------------------------------------------------  10 ms
    all points up to  -------------------------  5 ms
    roof: arithmetic  ::  0.5 ms
)");
}

TEST(TimeText, ColoursAddNothing) {
  TextOptions options;
  options.color = true;
  EXPECT_EQ(without_colors(time_text(speedup(), options)), time_text(speedup(), {}));
}

TEST(TimePicture, AnyTimesFitAScreenAndAreAnSvg) {
  std::vector<std::string> svgs;
  for (const double own : {1e-300, 1e-6, 1.0, 1e9, 1e300}) {
    Item item = speedup();
    item.metrics[Metric::time_ms] = own;
    item.goal->over = "09-a-lab-with-a-very-long-<name>\x1b";
    expect_fits_a_screen(time_text(item, {}));
    EXPECT_THAT(time_text(item, {}), Not(HasSubstr("\x1b")));
    svgs.push_back(time_svg(item));
    expect_no_odd_numbers(svgs.back());
  }
  expect_svgs(svgs);
}

TEST(TimeSvg, DescribesTheTimes) {
  const std::string svg = time_svg(speedup());
  EXPECT_THAT(svg, HasSubstr("<title>Time of your kernel</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc>your kernel 8 ms, 01-naive 10 ms, no points from 10 ms, all "
                             "points up to 5 ms, roof: arithmetic 0.5 ms.</desc>"));
}

}  // namespace
}  // namespace tessera
