// tessera lab check, as an instructor types it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "grader/authoring/proof/test_lab.h"
#include "grader/cli/test_program.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

class LabCheck : public testing::Test {
 protected:
  ProgramResult check(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"lab", "check", "--compiler", "clang", "--seeds", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(folder_, std::move(arguments));
  }

  TestFolder folder_;
};

TEST_F(LabCheck, ProvesALabWithGoodCases) {
  write_test_lab(folder_, kGoodCases);
  const ProgramResult result = check({"00"});
  EXPECT_EQ(result.status, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("00-difference: proved"));
}

TEST_F(LabCheck, FindsTheSurvivorsOfWeakCases) {
  write_test_lab(folder_, kWeakCases);
  const ProgramResult result = check({"--json", "proof.json"});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("+ if (false) return;"), HasSubstr("- {n: ")));
  const Json json = Json::parse(*read_file(folder_.path() / "proof.json"));
  EXPECT_EQ(json["schema"], "tessera.lab-check/1");
  EXPECT_GT(json["labs"][0]["mutation"]["survivor"], 0);
  EXPECT_FALSE(json["labs"][0]["proved"]);
}

TEST_F(LabCheck, MakesNoMutantsOnRequest) {
  write_test_lab(folder_, kWeakCases);
  const ProgramResult result = check({"--no-mutants", "--json", "-"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_FALSE(Json::parse(result.out)["labs"][0].contains("mutation"));
}

/// A check of a hundred seeds that is stopped after the first.
class StoppedLabCheck : public LabCheck {
 protected:
  StoppedLabCheck() {
    unsetenv("TESSERA_TEST_CACHE");  // the folder's own cache shows how far the program is
    write_test_lab(folder_, kGoodCases);
  }

  /// Waits until the first verdict is known: the kernel's compilation and the verdict are in the
  /// cache, and something later.
  void wait_for_a_verdict() const {
    while (entries() < 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  void expect_the_next_run_goes_on() const {
    const ProgramResult rest = run_program(folder_, arguments_);
    EXPECT_EQ(rest.status, 0) << rest.err;
    EXPECT_THAT(rest.out, HasSubstr("are known from earlier runs"));
  }

  std::vector<std::string> arguments_ = {"lab", "check",     "--compiler", "clang",  "--seeds",
                                         "100", "--threads", "1",          "--json", "proof.json"};

 private:
  std::size_t entries() const {
    constexpr std::size_t kHash = 64;
    std::error_code missing;
    std::size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder_.path() / "cache", missing))
      count += file.path().filename().string().size() == kHash ? 1 : 0;
    return count;
  }
};

TEST_F(StoppedLabCheck, CtrlCPrintsWhatIsKnown) {
  const RunningProgram program(folder_, arguments_);
  wait_for_a_verdict();
  program.interrupt();
  const ProgramResult interrupted = program.wait();
  EXPECT_EQ(interrupted.status, 130) << interrupted.err;
  EXPECT_THAT(interrupted.err, HasSubstr("tessera: interrupted"));
  EXPECT_THAT(interrupted.out, AllOf(HasSubstr("00-difference: NOT FINISHED"),
                                     HasSubstr("the same command goes on from there")));
  EXPECT_FALSE(Json::parse(*read_file(folder_.path() / "proof.json"))["labs"][0]["finished"]);
  expect_the_next_run_goes_on();
}

TEST_F(StoppedLabCheck, WhatIsKnownOutlivesAKill) {
  const RunningProgram program(folder_, arguments_);
  wait_for_a_verdict();
  program.kill_now();
  program.wait();
  expect_the_next_run_goes_on();
  arguments_.emplace_back("--fresh");
  EXPECT_THAT(run_program(folder_, arguments_).out, Not(HasSubstr("earlier runs")));
}

TEST_F(LabCheck, AMistakeOfTheInstructorIsAUsageError) {
  write_test_lab(folder_, kGoodCases);
  EXPECT_EQ(check({"--seeds", "0"}).status, 2);
  EXPECT_EQ(check({"07-missing"}).status, 2);
  folder_.write("solutions/00-difference/wrong/a.cu", "// no header\n");
  const ProgramResult result = check({"--no-mutants"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("a.cu:1: the first line"));
  folder_.write("solutions/00-difference/wrong/a.cu", "// expect: technique/9=fail -- none\n");
  const ProgramResult unknown = check({"--no-mutants"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("a.cu:1: no item 'technique/9': this lab has correctness/1 to "
                                     "3, technique/1, checks"));
}

TEST_F(LabCheck, ACardIsSpeltAsItsProfileSpellsIt) {
  write_timed_test_lab(folder_,
                       "    - {metric: time_ms, devices: {nvidia-h200: {full: 1, zero: 2}}, "
                       "points: 10}\n");
  const ProgramResult result = check({"--no-mutants"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown card 'nvidia-h200' (did you mean 'NVIDIA H200'?)"));
}

}  // namespace
}  // namespace tessera
