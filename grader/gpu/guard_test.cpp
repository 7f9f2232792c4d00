#include "grader/gpu/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kOffset = 4096;

GpuBuffer matrix() {
  return {.name = "C",
          .contents = std::vector<std::byte>(4 * 8 * 4),
          .input = false,
          .width = 6,
          .pitch = 8};
}

std::vector<std::byte> fresh_band(std::size_t bytes = 1024) {
  std::vector<std::byte> band(bytes);
  fill_guard(band, kOffset);
  return band;
}

TEST(Guard, IsAtLeast64KiBAndTwoRows) {
  EXPECT_EQ(guard_bytes(matrix()), 64u << 10);
  GpuBuffer wide = matrix();
  wide.pitch = 30000;
  EXPECT_GE(guard_bytes(wide), 240000u);
  EXPECT_EQ(guard_bytes(wide) % 256, 0u);
}

TEST(Guard, ReadAsFloatsItIsNan) {
  const auto band = fresh_band();
  for (std::size_t i = 0; i < band.size() / 4; ++i) {
    float value = 0;
    std::memcpy(&value, band.data() + 4 * i, 4);
    EXPECT_TRUE(std::isnan(value));
  }
}

TEST(Guard, UntouchedIsNoDamage) {
  EXPECT_EQ(inspect_guard(fresh_band(), kOffset, 4).count, 0u);
  EXPECT_EQ(inspect_guard(fresh_band(1022), kOffset, 4).count, 0u);
}

TEST(Guard, EveryChangedWordCounts) {
  auto band = fresh_band(1022);
  band[9] ^= std::byte{1};
  band[40] ^= std::byte{0x80};
  band[1021] ^= std::byte{1};
  const GuardDamage damage = inspect_guard(band, kOffset, 4);
  EXPECT_EQ(damage.count, 3u);
  EXPECT_EQ(damage.first, 2u);
  EXPECT_EQ(damage.last, 255u);
}

TEST(Guard, ElementsOfTwoBytesCountOneByOne) {
  auto band = fresh_band(1022);
  band[6] ^= std::byte{1};
  band[8] ^= std::byte{1};
  band[10] ^= std::byte{1};
  const GuardDamage damage = inspect_guard(band, kOffset, 2);
  EXPECT_EQ(damage.count, 3u);
  EXPECT_EQ(damage.first, 3u);
  EXPECT_EQ(damage.last, 5u);
}

TEST(DamageFindings, AnElementOfTwoBytesIsShownByItsBits) {
  GpuBuffer buffer = matrix();
  buffer.element_bytes = 2;
  auto after = buffer.contents;
  after[2 * 17 + 1] = std::byte{0x3f};
  BufferDamage damage;
  inspect_input(buffer.contents, after, 2, damage);
  const auto findings = damage_findings(buffer, damage);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].message.str(),
            "input C: 1 element changed. C[2][1] was 0x0000 and is 0x3f00");
}

TEST(DamageFindings, NothingWrongIsNoFinding) {
  EXPECT_TRUE(damage_findings(matrix(), {}).empty());
}

TEST(DamageFindings, StoresBehindTheEndSayHowFar) {
  BufferDamage damage;
  damage.after = {.count = 6, .first = 0, .last = 12};
  const auto findings = damage_findings(matrix(), damage);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_EQ(findings[0].count, 6u);
  EXPECT_EQ(findings[0].message.str(),
            "6 elements that stand beyond the end of C were written, up to 13 away; C has 32 "
            "elements");
  EXPECT_EQ(findings[0].example[0].second, "C[32]");
}

TEST(DamageFindings, StoresBeforeTheStartHaveNegativeIndices) {
  const std::uint64_t words = guard_bytes(matrix()) / 4;
  BufferDamage damage;
  damage.before = {.count = 1, .first = words - 2, .last = words - 2};
  const auto findings = damage_findings(matrix(), damage);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(findings[0].message,
              HasSubstr("1 element that stands before the start of C was written, up to 2 away"));
  EXPECT_EQ(findings[0].example[0].second, "C[-2]");
}

TEST(DamageFindings, AChangedInputNamesItsFirstElement) {
  GpuBuffer buffer = matrix();
  auto after = buffer.contents;
  const float one = 1;
  std::memcpy(after.data() + 4 * 17, &one, 4);
  std::memcpy(after.data() + 4 * 20, &one, 4);
  BufferDamage damage;
  inspect_input(buffer.contents, after, 4, damage);
  const auto findings = damage_findings(buffer, damage);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::input_modified);
  EXPECT_EQ(findings[0].message.str(),
            "input C: 2 elements changed. C[2][1] was 0 (0x00000000) and is 1 (0x3f800000)");
}

}  // namespace
}  // namespace tessera
