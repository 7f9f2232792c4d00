#include "grader/authoring/proof/lab_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/lab/test_folder.h"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A lab with 60 points for correctness, 10 for checks and 30 for technique.
Lab sound_lab() {
  Lab lab;
  lab.operation = find_operation("matmul");
  lab.correctness_points = 60;
  lab.checks_points = 10;
  lab.forbid = {FindingKind::race};
  TechniqueItem loads;
  loads.metric = Metric::global_load_requests;
  loads.at_most = 10;
  loads.naive = 20;
  loads.points = 20;
  TechniqueItem shared;
  shared.metric = Metric::static_shared_bytes;
  shared.at_least = 1;
  shared.naive = 0;
  shared.points = 10;
  lab.technique = {loads, shared};
  Case test_case;
  test_case.extents = {{"m", 16}, {"n", 16}, {"k", 16}};
  test_case.data_name = "integers";
  lab.cases = {test_case};
  return lab;
}

TEST(Doubts, ASoundLabHasNone) {
  EXPECT_THAT(doubts(sound_lab()), IsEmpty());
}

TEST(Doubts, ANaiveKernelThatMeetsTheRequirement) {
  Lab lab = sound_lab();
  lab.technique[0].naive = 10;
  EXPECT_THAT(doubts(lab), ElementsAre("technique/1 (global_load_requests): naive, 10, meets the "
                                       "requirement"));
}

TEST(Doubts, EqualCasesAndEqualRequirements) {
  Lab lab = sound_lab();
  lab.cases.push_back(lab.cases[0]);
  lab.technique[1] = lab.technique[0];
  lab.technique[1].points = 10;
  EXPECT_THAT(doubts(lab), ElementsAre(HasSubstr("cases 1 and 2 are equal: m=16 n=16 k=16"),
                                       "technique/1 and technique/2 are equal"));
}

TEST(Doubts, TwoThresholdsForOneMeasurement) {
  Lab lab = sound_lab();
  Threshold threshold;
  threshold.metric = Metric::time_ms;
  threshold.devices["NVIDIA H200"] = {.zero = 6, .full = 3};
  lab.thresholds = {threshold, threshold};
  EXPECT_THAT(doubts(lab), ElementsAre("performance/1 and performance/2 measure the same"));
}

TEST(Doubts, PointsThatDoNotAddUpToAHundred) {
  Lab lab = sound_lab();
  lab.correctness_points = 63;
  EXPECT_THAT(doubts(lab), ElementsAre("the points add up to 103, not to 100"));
}

class PageFault : public testing::Test {
 protected:
  std::string fault(const std::string& page) const {
    folder_.write("README.md", page);
    Lab lab = sound_lab();
    lab.directory = folder_.path();
    return page_fault(lab);
  }

  TestFolder folder_;
};

constexpr const char* kTable =
    "# Lab\n\n| n | points of a grid |\n|---|---|\n| 1 | 4 |\n\n"
    "| item | points | what is asked |\n|---|---|---|\n| correctness | 60 | all |\n"
    "| checks | 10 | none |\n";

TEST_F(PageFault, ATableThatAgreesWithLabYamlIsNoFault) {
  EXPECT_EQ(fault(std::string(kTable) + "| loads | 20 | few |\n| shared | 10 | some |\n"), "");
  EXPECT_EQ(fault(std::string(kTable) + "| loads, shared | 20 + 10 | few |\n\nEnd.\n"), "");
  EXPECT_EQ(fault("# Lab\n"), "");
}

TEST_F(PageFault, ATableWithOtherPointsIsAFault) {
  EXPECT_THAT(fault(std::string(kTable) + "| loads | 25 | few |\n| shared | 10 | some |\n"),
              HasSubstr("README.md: technique/1 has 20 points, its row \"loads\" 25"));
  EXPECT_THAT(fault(kTable), HasSubstr("the table of points has no row of technique/1"));
}

class SolutionFault : public testing::Test {
 protected:
  std::string fault(const std::string& name) const {
    folder_.write("kernel.cu", "");
    folder_.write("wrong/a.cu", "");
    folder_.write("ignores/a.cu", "");
    folder_.write("kernel.cu~", "");
    folder_.write(name, "");
    return solution_fault(folder_.path());
  }

  TestFolder folder_;
};

TEST_F(SolutionFault, IsAFileThatNothingReads) {
  EXPECT_EQ(fault("hidden.yaml"), "");
  EXPECT_THAT(fault("hiden.yaml"), HasSubstr("hiden.yaml: is read by nothing (did you mean "
                                             "'hidden.yaml'?)"));
}

TEST_F(SolutionFault, IsAFolderThatNothingReads) {
  EXPECT_THAT(fault("wrongs/a.cu"), HasSubstr("(did you mean 'wrong'?)"));
}

TEST_F(SolutionFault, IsAFileInWrongThatIsNoKernel) {
  EXPECT_THAT(fault("wrong/a.cpp"), HasSubstr("wrong/a.cpp: is read by nothing"));
}

}  // namespace
}  // namespace tessera
