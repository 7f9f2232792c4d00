#include "grader/report/metric_words.h"

#include <gtest/gtest.h>

#include "grader/lab/lab.h"

namespace tessera {
namespace {

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
  for (const auto* metrics : {&counter_metrics(), &timing_metrics()}) {
    for (const auto& [name, meaning] : *metrics) {
      if (name.find('_') == std::string::npos) continue;
      EXPECT_NE(metric_words(name), name);
    }
  }
}

}  // namespace
}  // namespace tessera
