#include "common/metric.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Metric, EveryMetricIsFoundByItsName) {
  for (const Metric metric : kAllMetrics) EXPECT_EQ(metric_named(to_string(metric)), metric);
  EXPECT_EQ(metric_named("global_load"), std::nullopt);
  EXPECT_EQ(metric_named(""), std::nullopt);
}

TEST(Metric, ACounterIsFoundByWhatItCounts) {
  EXPECT_EQ(counter_of(Accesses::shared_store, Quantity::excess),
            Metric::shared_store_bank_conflicts);
  EXPECT_EQ(counter_of(Accesses::shared_store, Quantity::per_request), std::nullopt);
}

TEST(Metric, NoTechniqueItemAsksForATime) {
  const auto is_asked = [](Metric metric, unsigned who) {
    return (about(metric).asked_by & who) != 0;
  };
  for (const Metric metric : metrics_asked_by(kTechnique))
    EXPECT_FALSE(is_asked(metric, kThreshold)) << to_string(metric);
  EXPECT_FALSE(is_asked(Metric::results_through_shared, kExperiment))
      << "it is counted in graded cases only";
}

}  // namespace
}  // namespace tessera
