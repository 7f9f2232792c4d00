// What a release holds, run as its readers run it: Gradescope's autograder in a folder laid out as
// Gradescope does, and the workflow's script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "common/testing/source_root.h"
#include "grader/cli/test_program.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

/// The kit in a folder, released with `labs`; and Gradescope's folders: source/ is the unpacked
/// autograder.zip, run_autograder its copy, submission/ and results/ are empty.
class ReleasedLabs : public testing::Test {
 protected:
  static void TearDownTestSuite() { releases_.clear(); }

  /// Releases once for all tests with these labs.
  void release(const std::vector<std::string>& labs) {
    const auto [found, fresh] = releases_.try_emplace(labs);
    folder_ = &found->second;
    if (fresh) {
      std::vector<std::string> arguments = {"lab",
                                            "release",
                                            "--without-program",
                                            "--labs",
                                            (kRoot / "labs").string(),
                                            "--out",
                                            (folder_->path() / "out").string()};
      arguments.insert(arguments.end(), labs.begin(), labs.end());
      const ProgramResult result = run_program(*folder_, arguments);
      ASSERT_EQ(result.status, 0) << result.err;
      fs::create_directories(root());
      fs::rename(folder_->path() / "out/autograder", root() / "source");
      fs::copy_file(root() / "source/run_autograder", root() / "run_autograder");
    }
    for (const fs::path& folder : {root() / "submission", root() / "results"}) {
      fs::remove_all(folder);
      fs::create_directory(folder);
    }
  }

  void submit(const fs::path& name, const fs::path& kernel) const {
    folder_->write("autograder/submission" / name, *read_file(kRoot / kernel));
  }

  /// results.json; null if run_autograder failed.
  Json results(const std::string& program = TESSERA_PROGRAM) const {
    const std::string command = "TESSERA_CACHE='" + (folder_->path() / "cache").string() +
                                "' AUTOGRADER_ROOT='" + root().string() + "' TESSERA='" + program +
                                "' '" + (root() / "run_autograder").string() + "' 2>'" +
                                (folder_->path() / "err.txt").string() + "'";
    if (std::system(command.c_str()) != 0) return Json();
    const auto text = read_file(root() / "results/results.json");
    return text ? Json::parse(*text) : Json();
  }

  fs::path root() const { return folder_->path() / "autograder"; }

  TestFolder* folder_ = nullptr;

 private:
  static inline std::map<std::vector<std::string>, TestFolder> releases_;
};

/// The points that a submission can win without a GPU.
double measurable(const Json& results) {
  double points = 0;
  for (const Json& test : results.at("tests")) points += test.value("max_score", 0.0);
  return points;
}

TEST_F(ReleasedLabs, GradescopeGradesAKernelAlone) {
  release({"03"});
  submit("kernel.cu", "solutions/03-tiled/kernel.cu");
  const Json json = results();
  ASSERT_TRUE(json.is_object());
  EXPECT_GT(measurable(json), 0);
  EXPECT_NEAR(json.at("score").get<double>(), measurable(json), 0.01);
  EXPECT_NE(results().at("output"), json.at("output")) << "each run draws a seed";
}

TEST_F(ReleasedLabs, GradescopeGradesTheHiddenCases) {
  release({"03"});
  submit("kernel.cu", "solutions/03-tiled/wrong/sum-reset.cu");
  const Json json = results();
  ASSERT_TRUE(json.is_object());
  EXPECT_LT(json.at("score").get<double>(), measurable(json));
  std::vector<std::string> names;
  for (const Json& test : json.at("tests")) names.push_back(test.at("name"));
  EXPECT_THAT(names, Contains(HasSubstr("hidden case 1")));
}

TEST_F(ReleasedLabs, GradescopeGradesAWholeHandoutInAFolder) {
  release({"00", "01"});
  submit("labs-main/labs/01-naive/kernel.cu", "solutions/01-naive/kernel.cu");
  submit("labs-main/labs/00-adjacent-difference/kernel.cu",
         "labs/00-adjacent-difference/kernel.cu");
  const Json json = results();
  ASSERT_TRUE(json.is_object());
  EXPECT_THAT(json.at("output").get<std::string>(),
              AllOf(HasSubstr("00-adjacent-difference"), HasSubstr("01-naive"),
                    HasSubstr("this is the skeleton")));
  EXPECT_GT(json.at("score").get<double>(), 0);
}

TEST_F(ReleasedLabs, GradescopeTakesAFolderOfAnyName) {
  release({"03"});
  submit("line feed\n/kernel.cu", "solutions/03-tiled/kernel.cu");
  const Json json = results();
  ASSERT_TRUE(json.is_object());
  EXPECT_GT(json.at("score").get<double>(), 0);
}

TEST_F(ReleasedLabs, GradescopeGivesNoPointsForNoFile) {
  release({"03"});
  const Json json = results();
  ASSERT_TRUE(json.is_object());
  EXPECT_DOUBLE_EQ(json.at("score").get<double>(), 0);
}

TEST_F(ReleasedLabs, GradescopeNamesTheFileThatHasAnotherName) {
  release({"03"});
  submit("main.cu", "solutions/03-tiled/kernel.cu");
  const Json json = results();
  ASSERT_TRUE(json.is_object());
  EXPECT_DOUBLE_EQ(json.at("score").get<double>(), 0);
  EXPECT_THAT(json.dump(), HasSubstr("there is main.cu beside it: rename it kernel.cu"));
}

TEST_F(ReleasedLabs, GradescopeFollowsNoLinkToTheHiddenCases) {
  release({"03"});
  fs::create_symlink(root() / "source/kit/solutions/03-tiled/hidden.yaml",
                     root() / "submission/kernel.cu");
  const Json json = results();
  ASSERT_TRUE(json.is_object());
  EXPECT_THAT(json.dump(), Not(HasSubstr("cases:")));
  EXPECT_DOUBLE_EQ(json.at("score").get<double>(), 0);
}

TEST_F(ReleasedLabs, GradescopeGetsNoScoreFromAGraderThatFails) {
  release({"03"});
  submit("kernel.cu", "solutions/03-tiled/kernel.cu");
  const Json json = results("/nonexistent/tessera");
  ASSERT_TRUE(json.is_object());
  EXPECT_FALSE(json.contains("score"));
  EXPECT_THAT(json.at("output").get<std::string>(), HasSubstr("not your fault"));
}

/// A grader that writes what it has, and then hangs.
constexpr const char* kHangingGrader = R"(#!/usr/bin/env bash
for word in "$@"; do
  if [[ $word == gradescope=* ]]; then echo '{"score": 20}' >"${word#*=}"; fi
done
exec sleep 60
)";

TEST_F(ReleasedLabs, GradescopeGetsWhatIsGradedWhenTheTimeIsUp) {
  release({"03"});
  submit("kernel.cu", "solutions/03-tiled/kernel.cu");
  folder_->write("hanging", kHangingGrader);
  fs::permissions(folder_->path() / "hanging", fs::perms::owner_all);
  setenv("TIME_LIMIT", "0.5", 1);
  const Json json = results((folder_->path() / "hanging").string());
  unsetenv("TIME_LIMIT");
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json, (Json{{"score", 20}}));
}

/// The command of the workflow's step "Grade", without the program's path.
std::string command_of(const std::string& workflow) {
  const std::string start = "run: build/tessera grade";
  const std::size_t begin = workflow.find(start);
  if (begin == std::string::npos) return "not found";
  const std::size_t from = begin + start.size();
  return workflow.substr(from, workflow.find('\n', from) - from);
}

TEST_F(ReleasedLabs, WorkflowWritesItsSummaryAndThePoints) {
  release({"00"});
  const fs::path handout = folder_->path() / "out/handout";
  const std::string options = command_of(*read_file(handout / ".github/workflows/grade.yml"));
  const fs::path summary = folder_->path() / "summary.md";
  const std::string command = "cd '" + handout.string() + "' && TESSERA_CACHE='" +
                              (folder_->path() / "cache").string() + "' GITHUB_STEP_SUMMARY='" +
                              summary.string() + "' GITHUB_WORKSPACE='" + handout.string() +
                              "' '" TESSERA_PROGRAM "' grade" + options + " >'" +
                              (folder_->path() / "out.txt").string() + "'";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(*read_file(summary), AllOf(HasSubstr("### 00-adjacent-difference: Adjacent"),
                                         HasSubstr("Nothing written yet")));
  EXPECT_THAT(*read_file(folder_->path() / "out.txt"),
              AllOf(testing::StartsWith("::stop-commands::"), HasSubstr("Adjacent difference"),
                    HasSubstr("::notice title=Autograding report::{\"totalPoints\":0,")));
}

}  // namespace
}  // namespace tessera
