#include "grader/gpu/launch_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace tessera {
namespace {

using ::testing::HasSubstr;

std::string refusal(const LaunchShape& shape, const KernelNeeds& needs = {}) {
  DeviceProfile device;
  device.name = "a card";
  const auto finding = refused_launch(shape, needs, device);
  if (!finding) return "accepted";
  EXPECT_EQ(finding->kind, FindingKind::bad_launch);
  EXPECT_FALSE(finding->hint.empty());
  return finding->message;
}

TEST(RefusedLaunch, ALaunchThatFitsIsAccepted) {
  EXPECT_EQ(refusal({{8, 8, 1}, {32, 32, 1}, 0}), "accepted");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 1}, 200'000}), "accepted");
}

TEST(RefusedLaunch, EveryLimitIsNamed) {
  EXPECT_EQ(refusal({{8, 0, 1}, {32, 1, 1}, 0}), "the grid is empty: its y is 0");
  EXPECT_EQ(refusal({{8, 1, 1}, {0, 1, 1}, 0}), "the block is empty: its x is 0");
  EXPECT_THAT(refusal({{1, 70000, 1}, {32, 1, 1}, 0}), HasSubstr("allows at most 65535"));
  EXPECT_THAT(refusal({{1, 1, 1}, {64, 32, 1}, 0}), HasSubstr("has 2048 threads"));
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, 300'000}), HasSubstr("300000 bytes"));
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, 232'448}, {.static_shared_bytes = 4}),
              HasSubstr("4 static"));
  EXPECT_THAT(refusal({{1, 1, 1}, {1024, 1, 1}, 0},
                      {.registers_per_thread = 128, .max_threads_per_block = 512}),
              HasSubstr("128 registers"));
}

TEST(RefusedLaunch, NoSumOfSharedMemoryWraps) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, kMost}, {.static_shared_bytes = 4}),
              HasSubstr("4 static"));
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, kMost - 3}, {.static_shared_bytes = 49152}),
              HasSubstr("49152 static"));
}

}  // namespace
}  // namespace tessera
