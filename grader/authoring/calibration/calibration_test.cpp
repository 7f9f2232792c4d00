#include "grader/authoring/calibration/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera {
namespace {

using testing::HasSubstr;

CalibrationMeasurement sample() {
  CalibrationMeasurement measurement;
  measurement.lab = "03-tiled";
  measurement.metric = Metric::speedup;
  measurement.over = "01-naive";
  measurement.device = "NVIDIA H200";
  measurement.driver = "580.1";
  measurement.shape = "m=16 n=16 k=16 float32";
  measurement.reference_sha256 = "ab";
  measurement.baseline_sha256 = "cd";
  CalibrationRun run;
  run.compiler = "nvrtc 13.0";
  run.seed = 7;
  run.value = {1.5, 1.49, 1.51, 2.1, 3.15, 1980, 21};
  measurement.runs = {run};
  run = {};
  run.failure = "unstable";
  run.hint = "measure again";
  measurement.runs.push_back(run);
  return measurement;
}

std::string error_of(const std::string& json) {
  const auto read = read_calibration(json);
  return read ? "no error" : read.error().str();
}

std::string with(std::string json, const std::string& before, const std::string& after) {
  const std::size_t place = json.find(before);
  EXPECT_NE(place, std::string::npos) << before;
  return json.replace(place, before.size(), after);
}

TEST(Calibration, ComesBackFromItsJson) {
  const auto read = read_calibration(calibration_json({sample()}));
  ASSERT_TRUE(read) << read.error().str();
  ASSERT_EQ(read->size(), 1u);
  const CalibrationMeasurement& measurement = read->front();
  EXPECT_EQ(calibration_json(*read), calibration_json({sample()}));
  EXPECT_EQ(measurement.over, "01-naive");
  EXPECT_EQ(measurement.runs[0].value.baseline_ms, 3.15);
  EXPECT_EQ(measurement.runs[0].value.pairs, 21u);
  EXPECT_TRUE(measurement.runs[1].failed());
}

TEST(Calibration, OfAWrongKernelComesBackFromItsJson) {
  CalibrationMeasurement measurement = sample();
  measurement.kernel = "wrong/naive.cu";
  measurement.kernel_sha256 = "ef";
  const auto read = read_calibration(calibration_json({measurement}));
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->front().kernel, "wrong/naive.cu");
  EXPECT_EQ(read->front().kernel_sha256, "ef");
}

TEST(Calibration, NamesWhatIsWrongInAFile) {
  const std::string good = calibration_json({sample()});
  EXPECT_THAT(error_of("{"), HasSubstr("is not JSON"));
  EXPECT_THAT(error_of("[]"), HasSubstr("expected an object"));
  EXPECT_THAT(error_of(with(good, "calibration/1", "result/1")),
              HasSubstr("schema is 'tessera.result/1'; expected tessera.calibration/1"));
  EXPECT_THAT(error_of(with(good, "\"median\": 1.5", "\"median\": \"1.5\"")),
              HasSubstr("measurements[0].runs[0].median is string; expected a number"));
  EXPECT_THAT(error_of(with(good, "\"low\": 1.49", "\"low\": 0")),
              HasSubstr("low is 0; expected a number above 0"));
  EXPECT_THAT(error_of(with(good, "\"median\": 1.5", "\"median\": 2.5")),
              HasSubstr("the median 2.5 is outside its interval, 1.49 to 1.51"));
  EXPECT_THAT(error_of(with(good, "\"device\"", "\"devise\"")),
              HasSubstr("measurements[0].device is missing"));
}

}  // namespace
}  // namespace tessera
