#include "grader/judge/run/expected_results.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <vector>

#include "common/temporary_directory.h"

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

TEST(ExpectedResults, AThreadWaitsForWhatAnotherOneComputes) {
  ExpectedResults results;
  std::promise<void> begun;
  std::promise<void> may_end;
  std::atomic<int> computed = 0;
  const auto get = [&] {
    return results.get("a", inputs_of(1), [&] {
      if (++computed == 1) begun.set_value();
      may_end.get_future().wait();
      return Reference{{7}, {0}};
    });
  };
  auto first = std::async(std::launch::async, get);
  begun.get_future().wait();
  auto second = std::async(std::launch::async, get);
  may_end.set_value();
  EXPECT_EQ(first.get().value.front(), 7);
  EXPECT_EQ(second.get().value.front(), 7);
  EXPECT_EQ(computed, 1);
}

TEST(ExpectedResults, AFailureIsNotKept) {
  ExpectedResults results;
  const auto fail = []() -> Reference { throw std::runtime_error("no processor"); };
  EXPECT_THROW(results.get("a", inputs_of(1), fail), std::runtime_error);
  EXPECT_EQ(results.get("a", inputs_of(1), [] { return Reference{{7}, {0}}; }).value.front(), 7);
}

TEST(ExpectedResults, ALaterRunOfTheSameProgramHasThem) {
  const TemporaryDirectory folder;
  const auto value = [&](const std::string& program, double computed) {
    ExpectedResults results(folder.path(), program);
    const Reference result = results.get("a", inputs_of(1), [&] {
      return Reference{{computed, 2}, {0.5, 0}};
    });
    EXPECT_EQ(result.bound, (std::vector<double>{0.5, 0}));
    return result.value.front();
  };
  EXPECT_EQ(value("one build", 7), 7);
  EXPECT_EQ(value("one build", 8), 7);
  EXPECT_EQ(value("another build", 9), 9);
}

}  // namespace
}  // namespace tessera
