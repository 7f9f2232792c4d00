#include "grader/judge/expected_results.h"

#include <gtest/gtest.h>

#include <vector>

namespace tessera {
namespace {

std::vector<HostMatrix> inputs_of(double first) {
  std::vector<HostMatrix> inputs;
  inputs.emplace_back(Element::float32, 1, 2);
  inputs.front().set(0, 0, first);
  return inputs;
}

TEST(ExpectedResults, AreComputedOnceForEachInputAndReference) {
  ExpectedResults results;
  int computed = 0;
  const auto get = [&](const std::string& what, double first) {
    return results.get(what, inputs_of(first), [&] {
      ++computed;
      return Reference{{first}, {0}};
    });
  };
  EXPECT_EQ(get("a", 1).value.front(), 1);
  EXPECT_EQ(get("a", 1).value.front(), 1);
  EXPECT_EQ(computed, 1);
  EXPECT_EQ(get("a", 2).value.front(), 2);
  EXPECT_EQ(get("b", 1).value.front(), 1);
  EXPECT_EQ(computed, 3);
}

}  // namespace
}  // namespace tessera
