#include "grader/gradebook/grading_seed.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "common/seed.h"
#include "grader/gradebook/code_key.h"

namespace tessera {
namespace {

std::uint64_t seed_of(const std::string& source) {
  return grading_seed("secret", "08-histogram", code_key(Source(source)));
}

TEST(GradingSeed, IsTheSameForTheSameCode) {
  EXPECT_EQ(seed_of("int a;"), seed_of("int a;  // handed in again"));
}

TEST(GradingSeed, AKernelWithATableMeetsOtherInputs) {
  EXPECT_NE(seed_of("int a;"), seed_of("int a; constexpr int table[] = {7};"));
}

TEST(GradingSeed, DependsOnTheSecretAndTheLab) {
  const std::string key = code_key("int a;");
  const std::set<std::uint64_t> seeds = {grading_seed("secret", "01-naive", key),
                                         grading_seed("another", "01-naive", key),
                                         grading_seed("secret", "03-tiled", key)};
  EXPECT_EQ(seeds.size(), 3u);
}

TEST(GradingSeed, CanBeTypedAndNotTried) {
  std::uint64_t all = 0;
  for (int i = 0; i < 100; ++i) all |= seed_of("int a" + std::to_string(i) + ";");
  EXPECT_EQ(all, kSeeds - 1) << "every bit is drawn, and no other";
}

}  // namespace
}  // namespace tessera
