// tessera lab check, as an instructor types it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/authoring/test_lab.h"
#include "grader/cli/test_program.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
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

TEST_F(LabCheck, MakesNoMutantsWhenToldSo) {
  write_test_lab(folder_, kWeakCases);
  const ProgramResult result = check({"--no-mutants", "--json", "-"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_FALSE(Json::parse(result.out)["labs"][0].contains("mutation"));
}

TEST_F(LabCheck, AMistakeOfTheInstructorIsAUsageError) {
  write_test_lab(folder_, kGoodCases);
  EXPECT_EQ(check({"--seeds", "0"}).status, 2);
  EXPECT_EQ(check({"07-missing"}).status, 2);
  folder_.write("solutions/00-difference/wrong/a.cu", "// no header\n");
  const ProgramResult result = check({"--no-mutants"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("a.cu:1: the first line tells what the kernel loses"));
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
