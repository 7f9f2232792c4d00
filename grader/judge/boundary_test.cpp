// A submission that has broken into the process which executes it wins no more than the outputs and
// counters of its own launches can win.
#include <gmock/gmock.h>

#include "grader/judge/testing/cheat_fixture.h"

namespace tessera {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCounted = R"(technique:
  - {metric: global_load_requests, at_most: 1000000, points: 10}
performance:
  shape: {m: 256, n: 256, k: 256}
  thresholds:
    - {metric: modelled_time_ms, full: 100, zero: 200, points: 10}
)";

class Boundary : public CheatTest {
 protected:
  /// Grades `body` in an interpreter whose intruder does this deed.
  Record grade_broken(const std::string& deed, const std::string& body = kHonest) {
    const auto link = folder.path() / deed;
    if (!std::filesystem::is_symlink(link))
      std::filesystem::create_symlink(TESSERA_BROKEN_INTERPRETER, link);
    options.machine.interpreters = std::make_shared<InterpreterPool>(link);
    return grade_lab(std::string(kProductLab) + kCounted, product_kernel(body));
  }
};

TEST_F(Boundary, AnHonestInterpreterGivesAllPoints) {
  const Record record = grade_broken("honest");
  EXPECT_EQ(record.score, 60) << summary(record);
}

TEST_F(Boundary, NativeCodeReachesNeitherFilesNorProcesses) {
  const Record record = grade_broken("acts");
  EXPECT_EQ(record.score, 60) << summary(record);
}

TEST_F(Boundary, OneDeathIsForgiven) {
  const Record record = grade_broken("dies-once");
  EXPECT_EQ(record.score, 60) << summary(record);
}

TEST_F(Boundary, AFailureThatRepeatsIsTheSubmissionsError) {
  for (const char* deed : {"dies", "fails-to-load", "fails-to-run"}) {
    const Record record = grade_broken(deed);
    EXPECT_EQ(record.score, 0) << deed;
    EXPECT_EQ(record.deferred, 0) << summary(record);
    EXPECT_EQ(record.items.at(0).status, Status::error) << summary(record);
    EXPECT_TRUE(found(record.items.at(0), FindingKind::grader_crash)) << deed;
    EXPECT_EQ(exit_status({record}), 1) << deed;
  }
}

TEST_F(Boundary, ForgedCountersAndFindingsWinNothing) {
  for (const char* deed :
       {"counters-below-zero", "counters-beyond-the-launch", "counters-of-its-own",
        "finding-of-the-judge", "stammers", "claims-a-terabyte", "leaves"}) {
    const Record record = grade_broken(deed);
    EXPECT_EQ(record.score, 0) << deed << "\n" << summary(record);
    EXPECT_EQ(record.deferred, 0) << deed;
    EXPECT_TRUE(found(record.items.at(0), FindingKind::grader_crash)) << deed;
  }
}

TEST_F(Boundary, ChangedInputsDoNotMakeWrongWorkRight) {
  const Record record =
      grade_broken("zeroes-inputs", "if (row < C.height && column < C.width) C(row, column) = 0;");
  EXPECT_EQ(record.score, 0) << summary(record);
}

TEST_F(Boundary, AnAnswerInAdvanceIsNoOtherLaunchsResult) {
  const Record record = grade_broken("says-all-twice");
  EXPECT_EQ(record.score, 0) << summary(record);
}

TEST_F(Boundary, ACompilerThatFailsOnOneFileAloneIsNotThisMachinesFault) {
  const auto link = folder.path() / "fails-for-a-friend";
  std::filesystem::create_symlink(TESSERA_BROKEN_COMPILER, link);
  options.compiler.program = link;
  const std::string lab = std::string(kProductLab) + kCounted;
  const Record friends = grade_lab(lab, product_kernel(kHonest, "__device__ int of_a_friend;\n"));
  EXPECT_EQ(friends.items.at(0).status, Status::review) << summary(friends);
  EXPECT_THAT(friends.items.at(0).message, HasSubstr("fails only on this file"));
  EXPECT_EQ(friends.score, 0);
  const Record record = grade_lab(lab, product_kernel(kHonest));
  EXPECT_EQ(record.score, 60) << summary(record);
}

TEST_F(Boundary, WithoutAnInterpreterNothingIsExecuted) {
  options.machine.interpreters = std::make_shared<InterpreterPool>(folder.path() / "none");
  const Record record = grade_lab(std::string(kProductLab) + kCounted, product_kernel(kHonest));
  EXPECT_EQ(exit_status({record}), 3);
  EXPECT_THAT(record.items.at(0).message, HasSubstr("cannot be started"));
}

}  // namespace
}  // namespace tessera
