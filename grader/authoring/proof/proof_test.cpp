#include "grader/authoring/proof/proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "common/text.h"
#include "grader/authoring/mutation/trial.h"
#include "grader/authoring/proof/proof_report.h"
#include "grader/authoring/proof/test_lab.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class Proof : public testing::Test {
 protected:
  static void SetUpTestSuite() { cache_ = std::make_unique<TestFolder>(); }
  static void TearDownTestSuite() { cache_.reset(); }

  /// Proves the lab in the folder, with two seeds.
  LabProof proof(
      bool mutants = false, CompilerKind compiler = CompilerKind::clang,
      const std::function<void(ProofOptions&)>& change = [](auto&) {}) const {
    const auto lab = load_lab(folder_.path() / "labs/00-difference", hidden_, kRoot / "datasets");
    if (!lab) throw std::runtime_error(lab.error().str());
    ProofOptions options;
    options.grade = kit_options(1);
    options.grade.compiler.kind = compiler;
    options.grade.compiler.cache_dir = cache_->path();
    options.seeds = 2;
    options.mutants = mutants;
    change(options);
    auto result = prove(*lab, folder_.path() / "solutions/00-difference", options);
    if (!result) throw std::runtime_error(result.error().str());
    return std::move(*result);
  }

  // The cache is shared: the tests edit the same reference, so most of their mutants are alike.
  static inline std::unique_ptr<TestFolder> cache_;

  TestFolder folder_;
  fs::path hidden_;
};

std::vector<MutantResult> survivors(const LabProof& proof) {
  std::vector<MutantResult> found;
  std::ranges::copy_if(
      proof.mutation->mutants, std::back_inserter(found),
      [](const MutantResult& result) { return result.fate == MutantFate::survivor; });
  return found;
}

TEST_F(Proof, AGoodLabIsProved) {
  write_test_lab(folder_, kGoodCases);
  folder_.write("solutions/00-difference/wrong/no-guard.cu", kNoGuard);
  const LabProof result = proof(true);
  EXPECT_TRUE(result.proved()) << proof_text(result);
  EXPECT_EQ(result.reference.passed, 2u);
  EXPECT_EQ(result.skeleton.passed, 1u);
  EXPECT_EQ(result.wrong.passed, 1u);
  EXPECT_GT(result.mutation->mutants.size(), 15u);
}

TEST_F(Proof, TheMarginOfARequirementIsReported) {
  write_test_lab(folder_, kGoodCases);
  const LabProof result = proof();
  ASSERT_EQ(result.margins.size(), 1u);
  EXPECT_EQ(result.margins[0].worst().value, 65);
  EXPECT_EQ(result.margins[0].worst().percent, 18.75);
}

TEST_F(Proof, TheMarginOfAModelledTimeIsReported) {
  write_timed_test_lab(folder_, "    - {metric: modelled_time_ms, full: 1, zero: 2, points: 10}\n");
  const LabProof result = proof();
  ASSERT_EQ(result.margins.size(), 2u);
  EXPECT_EQ(result.margins[1].item, "performance/1");
  EXPECT_EQ(result.margins[1].requirement, "modelled_time_ms full 1");
  EXPECT_GT(result.margins[1].worst().value, 0);
  EXPECT_GT(result.margins[1].worst().percent, 0);
  EXPECT_LT(result.margins[1].worst().percent, 100);
}

TEST_F(Proof, ALabWithoutATaskIsNotProved) {
  write_test_lab(folder_, kGoodCases);
  fs::remove(folder_.path() / "labs/00-difference/README.md");
  const LabProof result = proof();
  EXPECT_FALSE(result.proved());
  EXPECT_THAT(proof_text(result), HasSubstr("README.md: no such file"));
  folder_.write("labs/00-difference/README.md", "\n");
  EXPECT_THAT(proof().page_fault, HasSubstr("README.md: is empty"));
}

TEST_F(Proof, AWeakCaseSetLeavesSurvivorsWithTheCaseThatCatchesThem) {
  write_test_lab(folder_, kWeakCases);
  const LabProof result = proof(true);
  EXPECT_FALSE(result.proved());
  const std::vector<MutantResult> found = survivors(result);
  const auto no_guard = std::ranges::find_if(found, [](const MutantResult& survivor) {
    return survivor.mutant.after == "if (false) return;";
  });
  ASSERT_NE(no_guard, found.end()) << proof_text(result);
  EXPECT_THAT(no_guard->reason, HasSubstr("out-of-bounds"));
  EXPECT_THAT(no_guard->killer, HasSubstr("{n: "));

  write_test_lab(folder_, kWeakCases + ("    - " + no_guard->killer + "\n"));
  for (const MutantResult& left : survivors(proof(true)))
    EXPECT_NE(left.mutant.after, "if (false) return;");
}

TEST_F(Proof, AnAcceptedMutantIsNoSurvivor) {
  write_test_lab(folder_, kWeakCases);
  std::string accepted = "accepted_mutants:\n";
  for (const MutantResult& survivor : survivors(proof(true)))
    accepted += "  - {id: " + survivor.mutant.id + ", reason: whole blocks only}\n";
  folder_.write("solutions/00-difference/mutants.yaml", accepted);
  const LabProof result = proof(true);
  EXPECT_TRUE(result.proved()) << proof_text(result);
}

TEST_F(Proof, AnAcceptedMutantThatIsCaughtIsStale) {
  write_test_lab(folder_, kGoodCases);
  folder_.write("solutions/00-difference/mutants.yaml",
                "accepted_mutants:\n  - {id: guard-000000, reason: none}\n");
  const LabProof result = proof(true);
  EXPECT_FALSE(result.proved());
  EXPECT_THAT(result.mutation->stale, ElementsAre("guard-000000: there is no such mutant"));
}

TEST_F(Proof, NothingIsLookedAtBehindAReferenceThatLoses) {
  write_test_lab(folder_, kGoodCases);
  folder_.write("solutions/00-difference/kernel.cu", kNoGuard);
  folder_.write("solutions/00-difference/wrong/no-guard.cu", kNoGuard);
  const LabProof result = proof(true);
  EXPECT_FALSE(result.proved());
  EXPECT_TRUE(result.stopped);
  EXPECT_THAT(result.reference.faults,
              ElementsAre(AllOf(HasSubstr("kernel.cu with clang"), HasSubstr(", seed 1: checks"))));
  EXPECT_EQ(result.reference.total, 1u);  // the second seed was not tried
  EXPECT_EQ(result.skeleton.total + result.wrong.total, 0u);
  EXPECT_FALSE(result.mutation);
  EXPECT_THAT(proof_text(result), HasSubstr("  the rest       not looked at: "));
}

TEST_F(Proof, AFaultOfSeveralRunsIsReportedOnce) {
  write_test_lab(folder_, kGoodCases);
  std::string reference = kReference;
  reference.replace(reference.find("input[i] - input[i - 1]"), 23, "input[i] + input[i - 1]");
  folder_.write("solutions/00-difference/kernel.cu", reference);
  const std::size_t runs = chosen_compilers(CompilerKind::automatic).size();
  EXPECT_THAT(proof(false, CompilerKind::automatic).reference.faults,
              ElementsAre(HasSubstr(runs == 2 ? "seed 1 (and 1 run more): correctness/2"
                                              : "seed 1: correctness/2")));
}

TEST_F(Proof, ASkeletonThatIsNotTheMarkedReferenceIsAFault) {
  write_test_lab(folder_, kGoodCases);
  folder_.write("labs/00-difference/kernel.cu", std::string(kSkeleton) + "// more\n");
  EXPECT_THAT(proof().skeleton.faults, ElementsAre(HasSubstr("not what the marks")));
}

TEST_F(Proof, ASkeletonThatWinsACaseIsAFault) {
  write_test_lab(folder_, kGoodCases);
  folder_.write("labs/00-difference/kernel.cu", kReference);
  EXPECT_THAT(proof().skeleton.faults.at(0), HasSubstr("wins correctness/1"));
}

TEST_F(Proof, AWrongKernelThatDoesNotLoseIsAFault) {
  write_test_lab(folder_, kWeakCases);
  folder_.write("solutions/00-difference/wrong/no-guard.cu", kNoGuard);
  EXPECT_THAT(proof().wrong.faults,
              ElementsAre(HasSubstr("does not lose: out-of-bounds; it gets: all points")));
  std::string other = kNoGuard;
  other.replace(other.find("input[i - 1] :"), 14, "input[i] :");
  folder_.write("solutions/00-difference/wrong/no-guard.cu", other);
  EXPECT_THAT(proof().wrong.faults,
              ElementsAre(HasSubstr("does not lose: out-of-bounds; it gets: wrong-result")));
}

constexpr const char* kThreadZero =
    R"(// expect: technique/1=fail -- one thread of a block loads all
#include <tessera/lab.cuh>
__global__ void difference(const int* input, int* result, int n) {
  if (threadIdx.x != 0) return;
  for (int i = blockIdx.x * 32; i < blockIdx.x * 32 + 32 && i < n; ++i)
    result[i] = i > 0 ? input[i] - input[i - 1] : input[i];
}
__host__ __device__ Launch launch(int n) { return {dim3(ceil_div(n, 32)), dim3(32), 0}; }
)";

TEST_F(Proof, AKernelThatIgnoresTheLessonAndWinsMoreThanHalfIsAFault) {
  write_test_lab(folder_, kGoodCases);
  folder_.write("solutions/00-difference/ignores/thread-0.cu", kThreadZero);
  folder_.write("hidden.yaml", "cases:\n  - {n: 900, data: integers, counted: true}\n");
  hidden_ = folder_.path() / "hidden.yaml";
  const LabProof good = proof();
  EXPECT_TRUE(good.ignoring.faults.empty()) << proof_text(good);
  // The file, and what is made from it: one thread, useless shared memory, atomics, and the lesson
  // only in visible counted cases.
  EXPECT_EQ(good.ignoring.total, 5u);

  const fs::path yaml = folder_.path() / "labs/00-difference/lab.yaml";
  std::string text = *read_file(yaml);
  text.replace(text.find("points: 30"), 10, "points: 51");
  folder_.write("labs/00-difference/lab.yaml", text);
  EXPECT_THAT(proof().ignoring.faults,
              testing::Contains(
                  AllOf(HasSubstr("ignores/thread-0.cu with clang"), HasSubstr("more than half"))));
}

TEST_F(Proof, TheLessonOnlyWhereItIsCountedIsAFault) {
  write_test_lab(folder_, kGoodCases);
  folder_.write("solutions/00-difference/ignores/thread-0.cu", kThreadZero);
  const auto scaled = [&](const std::string& hidden) {
    const fs::path yaml = folder_.path() / "labs/00-difference/lab.yaml";
    std::string text = *read_file(yaml);
    text.replace(text.find("at_most: 80,"), 12, "at_most: 80, scales_with: [n],");
    folder_.write("labs/00-difference/lab.yaml", text);
    folder_.write("hidden.yaml", hidden);
    hidden_ = hidden.empty() ? fs::path() : folder_.path() / "hidden.yaml";
    return proof().ignoring.faults;
  };
  EXPECT_THAT(scaled(""),
              ElementsAre(AllOf(HasSubstr("kernel.cu in visible counted cases, else ignores/"),
                                HasSubstr("wins technique/1"))));
  write_test_lab(folder_, kGoodCases);
  EXPECT_THAT(scaled("cases:\n  - {n: 900, data: integers, counted: true}\n"), testing::IsEmpty());
}

TEST_F(Proof, AKernelThatIgnoresTheLessonSaysWhatItMayWin) {
  write_test_lab(folder_, kGoodCases);
  const std::string file = "solutions/00-difference/ignores/reference.cu";
  folder_.write(file,
                "// expect: technique/1=fail -- it is the reference\n" + std::string(kReference));
  const LabProof unmet = proof();
  EXPECT_THAT(unmet.ignoring.faults,
              testing::Contains(HasSubstr("reference.cu with " + unmet.compilers.at(0) +
                                          ": does not get technique/1=fail")));
  folder_.write(file,
                "// expect: technique/1=pass -- it is the reference\n" + std::string(kReference));
  EXPECT_THAT(proof().ignoring.faults, testing::Contains(HasSubstr("more than half")));
  folder_.write(file, "// expect: technique/2=pass -- no such item\n" + std::string(kReference));
  EXPECT_THROW(proof(), std::runtime_error);
}

TEST_F(Proof, AKernelThatIgnoresTheLessonMustBeRight) {
  write_test_lab(folder_, kGoodCases);
  std::string wrong = kThreadZero;
  wrong.replace(wrong.find("input[i] - input[i - 1]"), 23, "input[i] + input[i - 1]");
  folder_.write("solutions/00-difference/ignores/thread-0.cu", wrong);
  EXPECT_THAT(proof().ignoring.faults, testing::Contains(HasSubstr("is not right")));
}

TEST_F(Proof, ARightKernelOfAnotherShapeWinsEverything) {
  write_test_lab(folder_, kGoodCases);
  folder_.write("solutions/00-difference/right/same.cu", kReference);
  LabProof result = proof();
  EXPECT_EQ(result.winning.total, 1u);
  EXPECT_TRUE(result.winning.faults.empty()) << proof_text(result);
  folder_.write("solutions/00-difference/right/slow.cu", kSlow);
  result = proof();
  EXPECT_THAT(result.winning.faults,
              ElementsAre(AllOf(HasSubstr("right/slow.cu"), HasSubstr("technique/1"))));
  EXPECT_FALSE(result.proved());
}

TEST_F(Proof, ReferencesForOtherCardsAreNotTried) {
  write_test_lab(folder_, kGoodCases);
  std::string lab = *read_file(folder_.path() / "labs/00-difference/lab.yaml");
  lab.insert(lab.find("kernel:"), "compute_capability: 90\n");
  folder_.write("labs/01-after/lab.yaml", lab);
  folder_.write("solutions/01-after/kernel.cu", kSlow);
  const LabProof result = proof();
  EXPECT_EQ(result.winning.total, 0u);
  EXPECT_TRUE(result.winning.faults.empty()) << proof_text(result);
}

TEST_F(Proof, ReferencesOfOtherLabsAreTriedBothWays) {
  write_test_lab(folder_, kGoodCases);
  const std::string slow = kSlow;
  for (const std::string id : {"00-before", "01-after"}) {
    folder_.write("labs/" + id + "/lab.yaml",
                  *read_file(folder_.path() / "labs/00-difference/lab.yaml"));
    folder_.write("solutions/" + id + "/kernel.cu", slow);
  }
  const LabProof result = proof();
  EXPECT_THAT(result.winning.faults, ElementsAre(HasSubstr("the reference of 01-after")));
  // This lab counts in a single case, so the technique in that case alone wins it.
  EXPECT_THAT(result.ignoring.faults, ElementsAre(HasSubstr("in visible counted cases")));
  EXPECT_GT(result.ignoring.total, 1u);

  folder_.write("solutions/00-difference/mutants.yaml",
                "accepted_references:\n  - {lab: 01-after, reason: it counts something else}\n");
  EXPECT_EQ(proof().winning.total, 0u);
}

TEST_F(Proof, ATableOfPointsThatIsNotTheLabsIsAFault) {
  write_test_lab(folder_, kGoodCases);
  const std::string head = "# Lab 00\n\n| item | points | what is asked |\n|---|---|---|\n";
  const std::string page = "labs/00-difference/README.md";
  folder_.write(page, head + "| correctness | 30 | x |\n| checks | 20 | x |\n| loads | 60 | x |\n");
  EXPECT_EQ(proof().page_fault, "");
  folder_.write(page, head + "| correctness | 30 | x |\n| checks | 20 | x |\n| loads | 20 | x |\n");
  EXPECT_THAT(proof().page_fault, HasSubstr("technique/1 has 60 points, its row \"loads\" 20"));
  folder_.write(page, head + "| correctness | 30 | x |\n| checks | 20 | x |\n");
  EXPECT_THAT(proof().page_fault, HasSubstr("has no row of technique/1"));
  folder_.write(
      page,
      head + "| correctness | 30 | x |\n| checks | 20 | x |\n| a | 60 | x |\n| b | 5 | x |\n");
  EXPECT_THAT(proof().page_fault, HasSubstr("\"b\" is not an item"));
}

TEST_F(Proof, AnEndlessMutantCostsLittle) {
  write_test_lab(folder_, kGoodCases);
  std::string reference = kReference;
  reference.insert(reference.find("  if (i >="),
                   "  volatile int p = 0;\n  while (p < 4) p = p + 1;\n");
  folder_.write("solutions/00-difference/kernel.cu", reference);
  const LabProof result = proof(true);
  ASSERT_TRUE(result.mutation) << result.mutation_fault;
  EXPECT_TRUE(std::ranges::any_of(result.mutation->mutants, [](const MutantResult& mutant) {
    return mutant.reason.starts_with("step-limit");
  }));
}

/// Thrown by a test that interrupts a proof.
struct Interrupted {};

class KeptProof : public Proof {
 protected:
  KeptProof() {
    write_test_lab(folder_, kGoodCases);
    folder_.write("solutions/00-difference/wrong/no-guard.cu", kNoGuard);
  }

  static void end_after_ten_mutants(const LabProof& so_far) {
    if (so_far.mutation && so_far.unfinished->done == 10) throw Interrupted();
  }

  /// The proof by the program `build`; `change` alters the options.
  LabProof kept_proof(
      const std::string& build = "one build",
      const std::function<void(ProofOptions&)>& change = [](auto&) {}) {
    fresh_mutants_ = 0;
    return proof(true, CompilerKind::clang, [&](ProofOptions& options) {
      options.program = build;
      options.threads = 1;
      options.progress = [&](const LabProof& so_far) {
        if (so_far.mutation) ++fresh_mutants_;
      };
      change(options);
    });
  }

  std::size_t fresh_mutants_ = 0;  // progress reports while mutants are tried
};

std::vector<std::string> fates(const LabProof& proof) {
  std::vector<std::string> all;
  for (const MutantResult& result : proof.mutation->mutants) {
    all.push_back(result.mutant.id + " " + std::string(to_string(result.fate)) + " " +
                  result.reason);
  }
  return all;
}

TEST_F(KeptProof, AnInterruptedProofGoesOnWhereItWas) {
  EXPECT_THROW(kept_proof("one build",
                          [](ProofOptions& options) { options.progress = end_after_ten_mutants; }),
               Interrupted);
  const LabProof rest = kept_proof();
  EXPECT_EQ(rest.kept_kernels, 5u)
      << "reference with 2 seeds, skeleton, wrong kernel, reference by one thread";
  EXPECT_EQ(rest.mutation->kept, 10u);
  EXPECT_EQ(fresh_mutants_, rest.mutation->mutants.size() + rest.mutation->uncompiled - 10);
  const LabProof whole = kept_proof("one build", [](ProofOptions& o) { o.fresh = true; });
  EXPECT_EQ(fates(rest), fates(whole));
  EXPECT_EQ(whole.kept_kernels + whole.mutation->kept, 0u);
}

TEST_F(KeptProof, ASecondRunTriesNothingAndSaysTheSame) {
  const LabProof first = kept_proof();
  const LabProof second = kept_proof();
  EXPECT_EQ(fresh_mutants_, 0u);
  EXPECT_EQ(fates(first), fates(second));
  EXPECT_EQ(first.margins.front().worst().value, second.margins.front().worst().value);
  EXPECT_EQ(first.steps->steps.used, second.steps->steps.used);
  EXPECT_TRUE(second.proved()) << proof_text(second);
  EXPECT_THAT(proof_text(second), HasSubstr("  kept           5 runs and"));
}

TEST_F(KeptProof, AnotherBuildBelievesNothing) {
  kept_proof();
  const LabProof other = kept_proof("another build");
  EXPECT_EQ(other.kept_kernels + other.mutation->kept, 0u);
  EXPECT_EQ(kept_proof("").kept_kernels, 0u) << "a build that nothing identifies";
}

TEST_F(KeptProof, AnUnrelatedEditCostsItsOwnKernelAlone) {
  kept_proof();
  folder_.write("solutions/00-difference/wrong/no-guard.cu", std::string(kNoGuard) + "// more\n");
  folder_.write("labs/00-difference/README.md", "# Lab 00: Differences\n");
  const LabProof edited = kept_proof();
  EXPECT_EQ(edited.kept_kernels, 4u);
  EXPECT_EQ(fresh_mutants_, 0u);
}

TEST_F(KeptProof, AnotherCaseTriesAllAgain) {
  kept_proof();
  write_test_lab(folder_, std::string(kGoodCases) + "    - {n: 40, data: integers}\n");
  const LabProof edited = kept_proof();
  EXPECT_EQ(edited.kept_kernels + edited.mutation->kept, 0u);
}

TEST_F(KeptProof, AFaultIsTriedAgain) {
  folder_.write("solutions/00-difference/wrong/no-guard.cu",
                "// expect: race -- it has none\n" + std::string(kReference));
  EXPECT_EQ(kept_proof().wrong.faults.size(), 1u);
  const LabProof again = kept_proof();
  EXPECT_EQ(again.wrong.faults.size(), 1u);
  EXPECT_EQ(again.kept_kernels, 4u);
}

TEST_F(KeptProof, WhatWasComparedIsKeptAndMayBeAcceptedLater) {
  write_test_lab(folder_, kWeakCases);
  const LabProof first = kept_proof();
  const std::vector<MutantResult> found = survivors(first);
  ASSERT_FALSE(found.empty());
  folder_.write("solutions/00-difference/mutants.yaml",
                "accepted_mutants:\n  - {id: " + found.front().mutant.id + ", reason: why not}\n");
  const LabProof second = kept_proof();
  EXPECT_EQ(fresh_mutants_, 0u);
  EXPECT_EQ(survivors(second).size(), found.size() - 1);
}

TEST_F(Proof, TheCaseNearestToTheStepLimitIsReported) {
  write_test_lab(folder_, kGoodCases);
  std::string reference = kReference;
  reference.insert(reference.find("  if (i >="),
                   "  volatile int p = 0;\n  while (n == 33 && p < 100) p = p + 1;\n");
  folder_.write("solutions/00-difference/kernel.cu", reference);
  const LabProof result = proof();
  ASSERT_TRUE(result.steps);
  EXPECT_EQ(result.steps->item, "correctness/2");
  EXPECT_GT(result.steps->steps.used, 300u);
  EXPECT_LT(result.steps->steps.used, 3'000u);
  EXPECT_EQ(result.steps->steps.limit, 100'000u + 40 * 33);
  EXPECT_THAT(proof_text(result),
              HasSubstr(" of 101,320 in correctness/2 (n=33 integers) with clang"));
}

TEST(ProofText, ListsWhatIsNotProved) {
  LabProof proof;
  proof.lab = "00-difference";
  proof.compilers = {"clang 14.0.6"};
  proof.reference = {10, 10, {}};
  proof.skeleton = {0, 1, {"kernel.cu with clang 14.0.6: wins correctness/1 (n=1): 20 points"}};
  proof.ignoring = {
      1, 2, {"ignores/naive.cu with clang 14.0.6: wins technique/1 (barriers): 5 points"}};
  proof.winning = {1, 1, {}};
  proof.margins = {
      {"technique/1", "barriers at most 8", 8, {{"clang 14.0.6", 4, 50}}},
      {"performance/1",
       "modelled_time_ms full 0.016",
       0.016,
       {{"nvrtc 13.0", 0.0107, 33.1}, {"clang 14.0.6", 0.013, 18.75}}},
      {"technique/2", "barriers at most 0", 0, {{"nvrtc 13.0", 0, 0}, {"clang 14.0.6", 0, 0}}},
      {"technique/3", "barriers at most 3", 3, {{"clang 14.0.6", 4, -33.3}}},
  };
  proof.hidden_cases = 2;
  proof.doubts = {"cases 1 and 3 are equal: n=33 integers"};
  proof.steps = {"correctness/2", "n=33 integers", "nvrtc 13.0", {1200, 100'040}};
  Mutant mutant{"guard-1",
                "guard",
                5,
                "`>=` became `>` in `i >= n`",
                "if (i >= n) return;",
                "if (i > n) return;",
                ""};
  proof.mutation = MutationResult{
      {{mutant, MutantFate::survivor, "out-of-bounds with seed 1", "{n: 33, data: integers}"}},
      2,
      0,
      {"index-2: there is no such mutant"},
      1.2};
  EXPECT_EQ(proof_text(proof),
            R"(00-difference: NOT PROVED (clang 14.0.6)
  reference      10 of 10 runs win everything
  skeleton       0 of 1 runs win no correctness points
  wrong kernels  none yet: write mistakes that the lab must catch into wrong/
  no lesson      1 of 2 runs win at most half, and nothing of technique
  other shapes   1 of 1 runs win everything
  mutants        1 made (2 more do not compile), 0 caught, 0 equivalent, 0 accepted, 1 survivors (1 s)
  technique/1    barriers at most 8: 4 with clang 14.0.6, 50 % to spare
  performance/1  modelled_time_ms full 0.016: 0.0107 with nvrtc 13.0, 0.013 with clang 14.0.6, 19 % to spare
  technique/2    barriers at most 0: 0 with nvrtc 13.0 and clang 14.0.6, met exactly
  technique/3    barriers at most 3: 4 with clang 14.0.6, missed by 33 %
  steps          1,200 of 100,040 in correctness/2 (n=33 integers) with nvrtc 13.0: nearest to the limit
  hidden cases   2
  look at        cases 1 and 3 are equal: n=33 integers
  skeleton: kernel.cu with clang 14.0.6: wins correctness/1 (n=1): 20 points
  no lesson: ignores/naive.cu with clang 14.0.6: wins technique/1 (barriers): 5 points
  survivor guard-1, line 5: `>=` became `>` in `i >= n`
    - if (i >= n) return;
    + if (i > n) return;
    out-of-bounds with seed 1; add a case that catches it:
    - {n: 33, data: integers}
  mutants.yaml accepts index-2: there is no such mutant; take the entry out
)");
  EXPECT_EQ(mutation_table({proof}),
            "| lab | mutants | caught | equivalent | accepted | ended | survivors | seconds |\n"
            "|---|---|---|---|---|---|---|---|\n"
            "| 00-difference | 1 | 0 | 0 | 0 | 0 | 1 | 1 |\n");
}

TEST(ProofText, NamesTheMutantThatWasEnded) {
  LabProof proof;
  proof.lab = "00-difference";
  proof.reference = {1, 1, {}};
  proof.skeleton = {1, 1, {}};
  const Mutant mutant{"bound-1", "bound", 5, "`i < n` became `i <= n`", "before", "after", ""};
  proof.mutation = MutationResult{
      {{mutant, MutantFate::ended, "still running after the work of 9 instructions", ""}},
      0,
      0,
      {},
      1};
  EXPECT_FALSE(proof.proved());
  EXPECT_THAT(proof_text(proof),
              AllOf(HasSubstr("1 made, 0 caught, 0 equivalent, 0 accepted, 0 survivors, 1 ended"),
                    HasSubstr("  ended bound-1, line 5: `i < n` became `i <= n`\n"
                              "    - before\n    + after\n"
                              "    still running after the work of 9 instructions\n"
                              "    add a smaller case that catches it, or accept it")));
}

TEST(ProofText, SaysWhatIsNotTriedYet) {
  LabProof proof;
  proof.lab = "00-difference";
  proof.reference = {1, 1, {}};
  proof.skeleton = {1, 1, {}};
  EXPECT_TRUE(proof.proved());
  EXPECT_THAT(proof_text(proof), HasSubstr("  no lesson      nothing to try yet: write a right "
                                           "kernel that ignores the lesson into ignores/\n"));
}

TEST(ProofText, SaysWhereItWasInterrupted) {
  LabProof proof;
  proof.lab = "00-difference";
  proof.compilers = {"clang 14.0.6"};
  proof.reference = {3, 3, {}};
  proof.kept_kernels = 2;
  proof.hidden_cases = 1;
  proof.unfinished = CheckProgress{"kernels", 3, 9, 2};
  EXPECT_EQ(proof_text(proof),
            R"(00-difference: NOT FINISHED (clang 14.0.6)
  reference      3 of 3 runs win everything
  kept           2 runs and 0 mutants are known from earlier runs (--fresh tries them)
  interrupted    at kernels: 3 of 9; the same command goes on from there
  hidden cases   1
)");
}

}  // namespace
}  // namespace tessera
