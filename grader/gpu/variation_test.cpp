#include "grader/gpu/variation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace tessera {
namespace {

constexpr std::size_t kCount = 10'000;

std::vector<std::uint32_t> varied(float value, Variation variation, std::uint64_t salt) {
  std::vector<std::uint32_t> elements(kCount, std::bit_cast<std::uint32_t>(value));
  vary(elements, variation, salt);
  return elements;
}

TEST(Vary, ChangesTheSignOfAboutHalf) {
  std::size_t negative = 0;
  for (const std::uint32_t bits : varied(1.5f, Variation::signs_float32, 7)) {
    const float value = std::bit_cast<float>(bits);
    EXPECT_EQ(std::abs(value), 1.5f);
    negative += value < 0 ? 1 : 0;
  }
  EXPECT_GT(negative, kCount * 48 / 100);
  EXPECT_LT(negative, kCount * 52 / 100);
}

TEST(Vary, Int32IsNegated) {
  std::vector<std::uint32_t> elements(kCount, 5u);
  vary(elements, Variation::signs_int32, 7);
  for (const std::uint32_t bits : elements) EXPECT_TRUE(bits == 5u || bits == 0u - 5u);
}

TEST(Vary, NumbersOfSixteenBitsChangeTheirSignsOneByOne) {
  const std::uint32_t both = 0x3f803f80u;  // 1 and 1 as bfloat16
  std::vector<std::uint32_t> words(kCount, both);
  vary(words, Variation::signs_float16, 7);
  std::size_t counts[4] = {};
  for (const std::uint32_t bits : words) {
    EXPECT_EQ(bits & 0x7fff7fffu, both);
    ++counts[(bits >> 31) * 2 + (bits >> 15 & 1)];
  }
  for (const std::size_t count : counts) {
    EXPECT_GT(count, kCount * 22 / 100);
    EXPECT_LT(count, kCount * 28 / 100);
  }
}

TEST(Vary, TheSaltDecides) {
  EXPECT_EQ(varied(1, Variation::signs_float32, 7), varied(1, Variation::signs_float32, 7));
  EXPECT_NE(varied(1, Variation::signs_float32, 7), varied(1, Variation::signs_float32, 8));
  EXPECT_NE(buffer_salt(7, 0), buffer_salt(7, 1));
}

TEST(Vary, NoneChangesNothing) {
  EXPECT_EQ(varied(1, Variation::none, 7),
            std::vector<std::uint32_t>(kCount, std::bit_cast<std::uint32_t>(1.0f)));
}

}  // namespace
}  // namespace tessera
