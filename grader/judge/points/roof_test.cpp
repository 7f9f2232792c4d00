#include "grader/judge/points/roof.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

/// 10 multiprocessors of 100 lanes at 1 GHz: 2,000 GFLOP/s; 100 GB/s.
DeviceProfile device() {
  DeviceProfile profile;
  profile.multiprocessors = 10;
  profile.fp32_lanes_per_sm = 100;
  profile.clock_mhz = 1000;
  profile.memory_gb_per_s = 100;
  return profile;
}

Lab lab_of(const char* operation, const Extents& shape) {
  Lab lab;
  lab.operation = find_operation(operation);
  lab.performance_shape = shape;
  return lab;
}

TEST(Roof, OfAProductIsArithmeticOrTraffic) {
  const auto roof = roof_of(lab_of("matmul", {{"m", 1000}, {"n", 500}, {"k", 2000}}), device());
  ASSERT_TRUE(roof);
  EXPECT_DOUBLE_EQ(roof->compute_ms, 1.0) << "2 x 10^9 operations at 2 x 10^12 a second";
  EXPECT_DOUBLE_EQ(roof->memory_ms, 4.0 * (2e6 + 1e6 + 0.5e6) / 1e8) << "A, B and C once";
}

TEST(Roof, OfOtherOperationsIsTrafficAlone) {
  const Lab lab = lab_of("adjacent_difference", {{"n", 1000000}});
  const auto roof = roof_of(lab, device());
  ASSERT_TRUE(roof);
  EXPECT_EQ(roof->compute_ms, 0);
  EXPECT_NEAR(roof->memory_ms, 0.08, 1e-6);
}

TEST(Roof, NeedsAProfileThatKnowsTheDevice) {
  const Lab lab = lab_of("matmul", {{"m", 1}, {"n", 1}, {"k", 1}});
  DeviceProfile no_clock = device();
  no_clock.clock_mhz = 0;
  EXPECT_FALSE(roof_of(lab, no_clock));
  DeviceProfile no_bandwidth = device();
  no_bandwidth.memory_gb_per_s = 0;
  EXPECT_FALSE(roof_of(lab, no_bandwidth));
}

}  // namespace
}  // namespace tessera
