// Tests what can be measured without a GPU.
#include "grader/authoring/calibration/calibration_measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/sha256.h"
#include "grader/authoring/proof/test_lab.h"
#include "grader/judge/testing/kit_grading.h"

namespace tessera {
namespace {

using testing::HasSubstr;

class CalibrationMeasure : public testing::Test {
 protected:
  CalibrationMeasure() {
    options_.grade = kit_options(0);
    options_.grade.compiler.kind = CompilerKind::clang;
    options_.grade.machine.device = *load_device_profile("tesla-t4", kRoot / "common/devices");
    options_.grade.kit.labs = folder_.path() / "labs";
    options_.grade.kit.solutions = folder_.path() / "solutions";
  }

  std::vector<CalibrationMeasurement> measured(const std::string& thresholds) {
    write_timed_test_lab(folder_, thresholds);
    const auto lab =
        load_lab(folder_.path() / "labs/00-difference", "", options_.grade.kit.datasets);
    if (!lab) throw std::runtime_error(lab.error().str());
    return measure({*lab}, options_).value();
  }

  TestFolder folder_;
  MeasureOptions options_;
};

TEST_F(CalibrationMeasure, ModelsTheReferenceOnceForAllThresholdsOnIt) {
  const auto measurements = measured(
      "    - {metric: modelled_time_ms, full: 1, zero: 2, points: 10}\n"
      "    - {metric: modelled_time_ms, devices: {A: {full: 1, zero: 2}}, points: 10}\n");
  ASSERT_EQ(measurements.size(), 1u);
  const CalibrationMeasurement& measurement = measurements.front();
  EXPECT_EQ(measurement.lab, "00-difference");
  EXPECT_EQ(measurement.metric, Metric::modelled_time_ms);
  EXPECT_EQ(measurement.device, "Tesla T4");
  EXPECT_EQ(measurement.shape, "n=100000 int32");
  EXPECT_EQ(measurement.reference_sha256, sha256(kReference));
  ASSERT_EQ(measurement.runs.size(), 1u);
  EXPECT_EQ(measurement.runs[0].failure, "");
  EXPECT_THAT(measurement.runs[0].compiler, HasSubstr("clang"));
  EXPECT_GT(measurement.runs[0].value.median, 0);
  EXPECT_LT(measurement.runs[0].value.median, 1);
  EXPECT_EQ(measurement.runs[0].value.low, measurement.runs[0].value.high);
}

TEST_F(CalibrationMeasure, ModelsRightKernelsThatMustNotWin) {
  const std::string slow = std::string("// expect: technique/1=fail -- slow\n") + kSlow;
  folder_.write("solutions/00-difference/wrong/slow.cu", slow);
  folder_.write("solutions/00-difference/wrong/no-guard.cu", kNoGuard);
  const auto measurements =
      measured("    - {metric: modelled_time_ms, full: 1, zero: 2, points: 10}\n");
  ASSERT_EQ(measurements.size(), 2u);
  EXPECT_EQ(measurements[0].kernel, "");
  EXPECT_EQ(measurements[1].kernel, "wrong/slow.cu");
  EXPECT_EQ(measurements[1].kernel_sha256, sha256(slow));
  EXPECT_GT(measurements[1].runs.at(0).value.median, measurements[0].runs.at(0).value.median);
}

TEST_F(CalibrationMeasure, LeavesOutWhatNeedsAGpu) {
  EXPECT_TRUE(measured("    - {metric: time_ms, full: 1, zero: 2, points: 10}\n").empty());
}

TEST_F(CalibrationMeasure, AReferenceThatDoesNotCompileIsARunThatFailed) {
  write_timed_test_lab(folder_, "    - {metric: modelled_time_ms, full: 1, zero: 2, points: 10}\n");
  folder_.write("solutions/00-difference/kernel.cu", "no kernel\n");
  const auto lab = load_lab(folder_.path() / "labs/00-difference", "", options_.grade.kit.datasets);
  ASSERT_TRUE(lab) << lab.error().str();
  const auto measurements = measure({*lab}, options_).value();
  ASSERT_EQ(measurements.size(), 1u);
  EXPECT_NE(measurements[0].runs.at(0).failure, "");
}

}  // namespace
}  // namespace tessera
