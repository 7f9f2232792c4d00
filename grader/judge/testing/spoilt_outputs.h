// What the tests of diagnoses share: products that are wrong on purpose, without a kernel.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "grader/judge/diagnosis/diagnosis.h"
#include "grader/judge/run/case_data.h"
#include "grader/judge/run/reference_kernel.h"
#include "grader/lab/test_folder.h"

namespace tessera {

/// A case whose output is about to be spoilt.
struct Spoilt {
  const HostMatrix& a;
  const HostMatrix& b;
  const Reference& right;
  HostMatrix& output;  // elements that are not stored yet are poison
  std::mt19937_64& random;

  double right_at(int row, int column) const {
    return right.value[static_cast<std::size_t>(row) * static_cast<std::size_t>(output.width()) +
                       static_cast<std::size_t>(column)];
  }

  /// The sum of the products `first` to `last` - 1.
  double sum(int row, int column, int first, int last) const {
    double sum = 0;
    for (int p = first; p < last; ++p) sum += a.value(row, p) * b.value(p, column);
    return sum;
  }

  int below(int limit) const {
    return static_cast<int>(random() % static_cast<std::uint64_t>(limit));
  }
};

/// Returns the value that an element gets.
using Spoil = std::function<double(const Spoilt&, int row, int column)>;

class SpoiltOutputs : public ::testing::Test {
 protected:
  /// A lab of matrix products; `cases` and `hidden` are the lines of its visible and hidden cases.
  Lab lab(const std::string& cases, const std::string& hidden = "") {
    folder_.write("labs/03-tiled/lab.yaml", R"(title: Product
operation: matmul
kernel: matmul
arguments: [A, B, C]
correctness:
  points: 30
  cases:
)" + cases);
    folder_.write("hidden.yaml", hidden.empty() ? "cases: []\n" : "cases:\n" + hidden);
    const auto loaded =
        load_lab(folder_.path() / "labs/03-tiled",
                 hidden.empty() ? "" : folder_.path() / "hidden.yaml", folder_.path());
    EXPECT_TRUE(loaded) << loaded.error().str();
    return *loaded;
  }

  /// The outcome of case `number`, which counts from 0, with blocks of 16 x 16 threads.
  CaseOutcome outcome(const Lab& lab, std::size_t number, const Spoil& spoil) {
    const CaseContext context{lab, program_, lab.cases[number], options_};
    std::vector<OperandData> before =
        *make_operands(lab, context.test_case, {random_(), number + 1});
    const std::vector<HostMatrix> inputs = {before[0].host, before[1].host};
    const Reference right = reference_of(context, inputs);
    std::vector<HostMatrix> after = {inputs[0], inputs[1], before[2].host};
    const Spoilt spoilt{inputs[0], inputs[1], right, after[2], random_};
    for (int row = 0; row < after[2].height(); ++row) {
      for (int column = 0; column < after[2].width(); ++column)
        after[2].set(row, column, spoil(spoilt, row, column));
    }
    const auto blocks = [](int extent) { return static_cast<std::uint32_t>((extent + 15) / 16); };
    const LaunchShape shape{{blocks(after[2].width()), blocks(after[2].height()), 1}, {16, 16, 1}};
    CaseOutcome outcome;
    compare_case(context, before, after, shape, outcome);
    return outcome;
  }

  /// The outcomes of all cases of the lab.
  std::vector<CaseOutcome> outcomes(const Lab& lab, const Spoil& spoil) {
    std::vector<CaseOutcome> all;
    for (std::size_t i = 0; i < lab.cases.size(); ++i) all.push_back(outcome(lab, i, spoil));
    return all;
  }

  void diagnose(const Lab& lab, std::vector<CaseOutcome>& outcomes) {
    tessera::diagnose(lab, program_, options_, outcomes);
  }

 private:
  TestFolder folder_;
  Program program_;
  GradeOptions options_;
  std::mt19937_64 random_{7};
};

}  // namespace tessera
