// tessera lab calibrate, as an instructor types it, on a machine with or without a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/authoring/proof/test_lab.h"
#include "grader/cli/test_program.h"

namespace tessera {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr const char* kModelled =
    "    - {metric: modelled_time_ms, full: 1e-6, zero: 2e-6, points: 10} # a model\n";
constexpr const char* kTime =
    "    - {metric: time_ms, devices: {Tesla T4: {full: 1.0, zero: 2.0}}, points: 10}\n";

class LabCalibrate : public testing::Test {
 protected:
  ProgramResult calibrate(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"lab", "calibrate"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(folder_, std::move(arguments));
  }

  std::string lab_yaml() const { return *read_file(folder_.path() / kFile); }

  /// measured.json of a card on which the reference takes `milliseconds`.
  void write_measured(double milliseconds) const {
    Json run = {{"compiler", "nvrtc 13.0"},
                {"seed", 1},
                {"median", milliseconds},
                {"low", milliseconds},
                {"high", milliseconds},
                {"time_ms", milliseconds},
                {"baseline_ms", 0},
                {"clock_mhz", 0},
                {"pairs", 21}};
    Json measurement = {
        {"lab", "00-difference"}, {"metric", "time_ms"},   {"over", ""},
        {"device", "NVIDIA A10"}, {"driver", ""},          {"shape", "n=100000 int32"},
        {"reference_sha256", ""}, {"baseline_sha256", ""}, {"runs", {run}}};
    folder_.write(
        "measured.json",
        Json({{"schema", "tessera.calibration/1"}, {"measurements", {measurement}}}).dump());
  }

  static constexpr const char* kFile = "labs/00-difference/lab.yaml";
  TestFolder folder_;
};

TEST_F(LabCalibrate, AModelledTimeNeedsNoGpu) {
  write_timed_test_lab(folder_, kModelled);
  const std::string before = lab_yaml();
  const ProgramResult shown = calibrate({"--compiler", "clang"});
  EXPECT_EQ(shown.status, 1) << shown.err;
  EXPECT_THAT(
      shown.out,
      AllOf(HasSubstr("modelled_time_ms\n    measured  0."), HasSubstr("1 run on NVIDIA H200"),
            HasSubstr(": easier\n"), HasSubstr("full is 1.5 times, zero 3 times the slowest\n"),
            HasSubstr("the reference itself loses points\n"),
            HasSubstr("labs/00-difference/lab.yaml: left as it is; --write writes this")));
  EXPECT_EQ(lab_yaml(), before);

  const ProgramResult written = calibrate({"00", "--compiler", "clang", "--write"});
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("labs/00-difference/lab.yaml: written"));
  EXPECT_THAT(lab_yaml(), AllOf(Not(HasSubstr("1e-6")), HasSubstr("points: 10} # a model\n")));
  EXPECT_EQ(calibrate({"--compiler", "clang"}).status, 0);
}

TEST_F(LabCalibrate, WhatOneMachineMeasuredAnotherWrites) {
  write_timed_test_lab(folder_, kModelled);
  const ProgramResult measured = calibrate({"--compiler", "clang", "--json", "measured.json"});
  EXPECT_EQ(measured.status, 1) << measured.err;
  const ProgramResult written = calibrate({"--from", "measured.json", "00", "--write"});
  EXPECT_EQ(written.status, 0) << written.out << written.err;
  EXPECT_THAT(lab_yaml(), Not(HasSubstr("1e-6")));
}

TEST_F(LabCalibrate, ShowsTheNewCardAndWritesIt) {
  write_timed_test_lab(folder_, kTime);
  write_measured(0.02);
  const std::string before = lab_yaml();
  const ProgramResult result = calibrate({"--from", "measured.json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(
      result.out,
      "00-difference (n=100000 int32)\n"
      "  performance/1  time_ms on NVIDIA A10\n"
      "    measured  0.02 (0.02 to 0.02, 1 run)\n"
      "    proposed  full 0.03, zero 0.06: new\n"
      "    because   full is 1.5 times, zero 3 times the slowest\n"
      "labs/00-difference/lab.yaml:\n"
      "-20       - {metric: time_ms, devices: {Tesla T4: {full: 1.0, zero: 2.0}}, points: "
      "10}\n"
      "+20       - {metric: time_ms, devices: {Tesla T4: {full: 1.0, zero: 2.0},\n"
      "+21                                     NVIDIA A10: {full: 0.03, zero: 0.06}}, points: "
      "10}\n"
      "labs/00-difference/lab.yaml: left as it is; --write writes this\n");
  EXPECT_EQ(lab_yaml(), before);
  EXPECT_EQ(calibrate({"--from", "measured.json", "--write"}).status, 0);
  const ProgramResult again = calibrate({"--from", "measured.json"});
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("full 0.03, zero 0.06: kept\n"));
}

TEST_F(LabCalibrate, SaysWhatAFileDoesNotHold) {
  write_timed_test_lab(folder_, kModelled);
  write_measured(0.02);
  const ProgramResult result = calibrate({"--from", "measured.json"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.out,
              HasSubstr("modelled_time_ms\n    missing   measured.json has nothing of it\n"));
}

TEST_F(LabCalibrate, WhatWaitsForAnotherMachineIsNoFailure) {
  write_timed_test_lab(folder_, std::string(kModelled) + kTime);
  write_measured(0.02);
  const ProgramResult result = calibrate({"--from", "measured.json", "--write"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("missing   measured.json has nothing of it\n"),
                                HasSubstr("labs/00-difference/lab.yaml: written\n")));
}

TEST_F(LabCalibrate, NamesThePageThatQuotesAnOldEnd) {
  write_timed_test_lab(folder_,
                       "    - {metric: time_ms, devices: {NVIDIA A10: {full: 1.0, zero: 2.0}}, "
                       "points: 10}\n");
  folder_.write("labs/00-difference/README.md", "# Lab\nNo points at 2.0 ms.\n");
  write_measured(0.9);
  const ProgramResult result = calibrate({"--from", "measured.json", "--write"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("labs/00-difference/README.md:2: has the number 2.0, which was "
                                    "an end until now\n"));
}

TEST_F(LabCalibrate, AMistakeOfTheInstructorIsAUsageError) {
  write_timed_test_lab(folder_, kTime);
  EXPECT_EQ(calibrate({"--runs", "0"}).status, 2);
  EXPECT_EQ(calibrate({"--from", "measured.json", "--runs", "2"}).status, 2);
  EXPECT_THAT(calibrate({"--from", "measured.json"}).err, HasSubstr("measured.json: no such file"));
  folder_.write("measured.json", "{}");
  const ProgramResult result = calibrate({"--from", "measured.json"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("measured.json: schema is missing"));
}

TEST_F(LabCalibrate, JsonOnStandardOutputIsAlone) {
  write_timed_test_lab(folder_, kModelled);
  const ProgramResult result = calibrate({"--compiler", "clang", "--json", "-"});
  EXPECT_EQ(Json::parse(result.out)["measurements"].size(), 1u);
}

}  // namespace
}  // namespace tessera
