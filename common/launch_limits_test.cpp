#include "common/launch_limits.h"

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
  const std::vector<Finding> findings = check_launch(shape, needs, device);
  if (findings.empty()) return "accepted";
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.kind, FindingKind::bad_launch);
    EXPECT_EQ(finding.severity, Severity::error);
    EXPECT_FALSE(finding.hint.empty());
  }
  return findings.front().message;
}

TEST(CheckLaunch, ALaunchThatFitsIsAccepted) {
  EXPECT_EQ(refusal({{8, 8, 1}, {32, 32, 1}, 0}), "accepted");
  EXPECT_EQ(refusal({{2147483647, 65535, 65535}, {1024, 1, 1}, 0}), "accepted");
  EXPECT_EQ(refusal({{1, 1, 1}, {16, 1, 64}, 0}), "accepted");
  EXPECT_EQ(refusal({{1, 1, 1}, {32, 32, 1}, 232'448 - 49'152}, {.static_shared_bytes = 49'152}),
            "accepted");
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 1}, 200'000}), "accepted");
}

TEST(CheckLaunch, EveryLimitIsNamed) {
  EXPECT_EQ(refusal({{8, 0, 1}, {32, 1, 1}, 0}), "the grid is empty: its y is 0");
  EXPECT_EQ(refusal({{8, 1, 1}, {0, 1, 1}, 0}), "the block is empty: its x is 0");
  EXPECT_THAT(refusal({{1, 70000, 1}, {32, 1, 1}, 0}), HasSubstr("allows at most 65535"));
  EXPECT_THAT(refusal({{1, 1, 65536}, {32, 1, 1}, 0}), HasSubstr("65536"));
  EXPECT_THAT(refusal({{1, 1, 1}, {1025, 1, 1}, 0}), HasSubstr("1025"));
  EXPECT_THAT(refusal({{1, 1, 1}, {1, 1, 65}, 0}), HasSubstr("65"));
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 33, 1}, 0}), HasSubstr("1056"));
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, 232'449}), HasSubstr("232449"));
  EXPECT_THAT(refusal({{1, 1, 1}, {64, 32, 1}, 0}), HasSubstr("has 2048 threads"));
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, 300'000}), HasSubstr("300000 bytes"));
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, 232'448}, {.static_shared_bytes = 4}),
              HasSubstr("4 static"));
  EXPECT_THAT(refusal({{1, 1, 1}, {1024, 1, 1}, 0},
                      {.registers_per_thread = 128, .max_threads_per_block = 512}),
              HasSubstr("128 registers"));
}

TEST(CheckLaunch, VariablesHaveALimitOfTheirOwn) {
  EXPECT_EQ(refusal({{1, 1, 1}, {32, 1, 1}, 0}, {.static_shared_bytes = 49'152}), "accepted");
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, 0}, {.static_shared_bytes = 49'156}),
              HasSubstr("allows 49152"));
}

TEST(CheckLaunch, NoSumOfSharedMemoryWraps) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, kMost}, {.static_shared_bytes = 4}),
              HasSubstr("4 static"));
  EXPECT_THAT(refusal({{1, 1, 1}, {32, 1, 1}, kMost - 3}, {.static_shared_bytes = 49152}),
              HasSubstr("49152 static"));
}

}  // namespace
}  // namespace tessera
