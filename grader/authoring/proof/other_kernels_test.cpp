// The kit's labs: right kernels that ignore the lesson win at most half of the points and none for
// technique and time, and right ones of another shape win everything. Each kernel is compiled with
// one of the compilers of this machine, in turn; `tessera lab check --compiler clang` tries all
// with that one.
#include "grader/authoring/proof/other_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <stdexcept>

#include "grader/authoring/mutation/accepted_mutants.h"
#include "grader/authoring/mutation/trial.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

struct Setup {
  std::string lab;
  CompilerInfo compiler;
  size_t turn = 0;   // the number of this compiler, below `turns`
  size_t turns = 1;  // the number of compilers on this machine
};

void PrintTo(const Setup& setup, std::ostream* out) {
  *out << setup.lab << " with " << setup.compiler.version;
}

std::vector<Setup> setups() {
  std::vector<Setup> all;
  const std::vector<CompilerInfo> compilers = chosen_compilers(CompilerKind::automatic);
  for (const fs::path& lab : find_labs(kRoot / "labs")) {
    for (size_t i = 0; i < compilers.size(); ++i)
      all.push_back({lab.filename().string(), compilers[i], i, compilers.size()});
  }
  return all;
}

class OtherKernels : public testing::TestWithParam<Setup> {
 protected:
  OtherKernels() {
    const std::string& id = GetParam().lab;
    places_.solution = kRoot / "solutions" / id;
    places_.datasets = kRoot / "datasets";
    auto lab = load_lab(kRoot / "labs" / id, places_.solution / "hidden.yaml", places_.datasets);
    if (!lab) throw std::runtime_error(lab.error().str());
    lab_ = std::move(*lab);
    const auto accepted = read_accepted(places_.solution / "mutants.yaml");
    if (!accepted) throw std::runtime_error(accepted.error().str());
    places_.accepted = accepted->references;
  }

  static Record graded(const Lab& lab, const OtherKernel& kernel) {
    GradeOptions options = kit_options(20261122);
    options.compiler.kind = GetParam().compiler.kind;
    return grade_source(lab, kernel.name, Source(kernel.source), options);
  }

  Lab lab_;
  OtherKernelPlaces places_;
};

TEST_P(OtherKernels, ThatIgnoreTheLessonWinAtMostHalf) {
  const auto kernels = ignoring_kernels(lab_, places_);
  ASSERT_TRUE(kernels) << kernels.error().str();
  EXPECT_GE(kernels->size(), 3u);
  const Lab lab = without_large_hidden_cases(lab_);
  for (size_t i = 0; i < kernels->size(); ++i) {
    if (i % GetParam().turns != GetParam().turn) continue;
    EXPECT_EQ(ignoring_fault(kernels->at(i), graded(lab, kernels->at(i))), "")
        << kernels->at(i).name;
  }
}

TEST_P(OtherKernels, OfAnotherShapeWinEverything) {
  const auto kernels = winning_kernels(lab_, places_);
  ASSERT_TRUE(kernels) << kernels.error().str();
  EXPECT_GE(kernels->size(), 2u);
  for (size_t i = 0; i < kernels->size(); ++i) {
    if (i % GetParam().turns != GetParam().turn) continue;
    EXPECT_EQ(winning_fault(kernels->at(i), graded(lab_, kernels->at(i))), "")
        << kernels->at(i).name;
  }
}

std::string name_of(const testing::TestParamInfo<Setup>& info) {
  std::string name = info.param.lab + "_" + std::string(info.param.compiler.version);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kit, OtherKernels, testing::ValuesIn(setups()), name_of);

}  // namespace
}  // namespace tessera
