#include "grader/authoring/mutation/trial.h"

#include <gtest/gtest.h>

#include "grader/authoring/proof/test_lab.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

GradeOptions options_with_cache(const TestFolder& folder) {
  GradeOptions options = kit_options(0);
  options.compiler.kind = CompilerKind::clang;
  options.compiler.cache_dir = folder.path() / "cache";
  return options;
}

/// A kernel that never ends if `condition` holds, on the lab's only case: n = 20,000.
class CutShort : public testing::Test {
 protected:
  CutShort() : bench_(options_with_cache(folder_)) {
    write_test_lab(folder_, "    - {n: 20000, data: integers}\n");
    lab_ = *load_lab(folder_.path() / "labs/00-difference", "", kRoot / "datasets");
  }

  Program program(const std::string& condition) const {
    std::string source = kReference;
    source.insert(source.find("  if (i >="),
                  "  volatile int p = 1;\n  while (" + condition + ") p = p + 1;\n");
    return std::get<Program>(bench_.build(lab_, source));
  }

  CaseOutcome run(const Program& program, std::uint64_t most_steps) const {
    return bench_.run(program, {.lab = &lab_, .number = 1, .seed = 1}, most_steps);
  }

  TestFolder folder_;
  Bench bench_;
  Lab lab_;
};

TEST_F(CutShort, AnEndlessKernelCostsAMultipleOfTheReference) {
  const CaseOutcome right = run(program("p < 4"), 100'000'000);
  EXPECT_EQ(right.status, Status::pass);
  EXPECT_GT(right.launch_steps, 10'000u) << "625 warps";
  const CaseOutcome ended = run(program("p < 1000000000 && i % 32 != 1"), 2 * right.launch_steps);
  EXPECT_TRUE(ended.cut_short);
  EXPECT_GT(ended.launch_steps, 2 * right.launch_steps);
  EXPECT_LT(ended.launch_steps, 3 * right.launch_steps);
  EXPECT_EQ(loss_of(lab_, ended), "") << "a grading would have let it run on";
}

TEST_F(CutShort, WhatAGradingEndsAsWellIsLost) {
  const CaseOutcome ended = run(program("p"), 100'000'000);
  EXPECT_FALSE(ended.cut_short);
  EXPECT_EQ(loss_of(lab_, ended), "step-limit");
}

TEST_F(CutShort, WhatWasFoundUntilThenIsLost) {
  const CaseOutcome ended = run(program("input[n + i] != p || p"), 20'000);
  EXPECT_TRUE(ended.cut_short);
  EXPECT_EQ(loss_of(lab_, ended), "out-of-bounds");
}

TEST(WorseCounter, SaysInWhichDirection) {
  const Metrics reference = {{Metric::instructions, 100}, {Metric::results_through_shared, 8}};
  const auto worse = [&](double instructions, double percent) {
    return worse_counter(
        {{Metric::instructions, instructions}, {Metric::results_through_shared, percent}},
        reference);
  };
  EXPECT_EQ(worse(100, 8), "");
  EXPECT_EQ(worse(101, 8), "more instructions");
  EXPECT_EQ(worse(100, 7), "less results_through_shared");
}

}  // namespace
}  // namespace tessera
