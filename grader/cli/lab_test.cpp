// tessera lab, as an instructor types it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/cli/test_program.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class LabCommands : public testing::Test {
 protected:
  LabCommands() {
    folder_.write("labs/00-first/lab.yaml", "title: First\n");
    fs::create_directory(folder_.path() / "solutions");
  }

  ProgramResult lab(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "lab");
    arguments.insert(arguments.end(), {"--labs", (folder_.path() / "labs").string()});
    return run_program(folder_, std::move(arguments));
  }

  std::string skeleton() const { return *read_file(folder_.path() / "labs/00-first/kernel.cu"); }

  TestFolder folder_;
};

TEST_F(LabCommands, NewLabWinsAllItsPoints) {
  const ProgramResult made = lab({"new", "07-stencil"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(HasSubstr("solutions/07-stencil/wrong/no-guard.cu\n"),
                              HasSubstr("tessera lab check 07-stencil")));
  const ProgramResult graded =
      run_program(folder_, {"grade", "07", "--from", "solutions", "--backend", "simulator"});
  EXPECT_EQ(graded.status, 0) << graded.out << graded.err;
}

TEST_F(LabCommands, NewLabPassesItsCheck) {
  ASSERT_EQ(lab({"new", "07-stencil"}).status, 0);
  const ProgramResult checked = lab({"check", "07", "--seeds", "1"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
}

TEST_F(LabCommands, NewRefusesWhatIsThere) {
  const ProgramResult result = lab({"new", "00-first"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("labs/00-first: is there already"));
}

TEST(LabNew, OutsideOfACourseNothingIsWrittenIntoTheKit) {
  const TestFolder folder;
  const ProgramResult result = run_program(folder, {"lab", "new", "98-mine"});
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_THAT(result.err, AllOf(HasSubstr("no folder labs/ here or above"), HasSubstr("--labs ")));
}

TEST_F(LabCommands, NewRefusesAnUnknownLabToCopy) {
  const ProgramResult result = lab({"new", "07-stencil", "--from", "frist"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("no lab 'frist' (did you mean 'first'?)"));
}

TEST_F(LabCommands, SkeletonIsWrittenWhereThereIsNone) {
  folder_.write("solutions/00-first/kernel.cu", "// BEGIN SOLUTION: TODO\nx\n// END SOLUTION\n");
  const ProgramResult result = lab({"skeleton"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(skeleton(), "// TODO\n");
  EXPECT_THAT(lab({"skeleton", "00"}).out, HasSubstr("is what the reference gives"));
}

TEST_F(LabCommands, SkeletonThatDiffersStaysWithoutForce) {
  folder_.write("labs/00-first/kernel.cu", "// mine\n");
  folder_.write("solutions/00-first/kernel.cu", "// BEGIN SOLUTION: TODO\nx\n// END SOLUTION\n");
  const ProgramResult refused = lab({"skeleton", "00"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.out, HasSubstr("-1    // mine\n+1    // TODO\n"));
  EXPECT_EQ(skeleton(), "// mine\n");
  EXPECT_EQ(lab({"skeleton", "00", "--force"}).status, 0);
  EXPECT_EQ(skeleton(), "// TODO\n");
}

TEST_F(LabCommands, ShowPrintsTheSolutionWithoutMarks) {
  folder_.write("solutions/00-first/kernel.cu",
                "int x;\n// BEGIN SOLUTION: TODO\n//: int y;\nint y = 1;\n// END SOLUTION\n");
  EXPECT_EQ(lab({"show", "00"}).out, "int x;\nint y = 1;\n");
  EXPECT_EQ(lab({"show"}).status, 2);
}

TEST_F(LabCommands, ShowNamesWhatIsMissing) {
  const ProgramResult result = lab({"show", "00"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("solutions/00-first/kernel.cu"));
}

TEST_F(LabCommands, SkeletonNamesTheLineOfABrokenMark) {
  folder_.write("solutions/00-first/kernel.cu", "int x;\n// END SOLUTION\n");
  const ProgramResult result = lab({"skeleton"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("solutions/00-first/kernel.cu:2: closes nothing"));
}

}  // namespace
}  // namespace tessera
