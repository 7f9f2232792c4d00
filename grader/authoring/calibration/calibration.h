// What `tessera lab calibrate` measured ("tessera.calibration/1"): it may be measured on one
// machine and used on another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/judge/run/performance.h"
#include "grader/lab/lab.h"

namespace tessera {

/// One measurement of a kernel, or why there is none.
struct CalibrationRun {
  std::string compiler;  // "nvrtc 13.0"
  std::uint64_t seed = 0;
  std::string failure;  // "unstable: another process used the GPU in 9 of 21 pairs"; else ""
  std::string hint;     // what to do then
  MetricInterval value;

  bool failed() const { return !failure.empty(); }
};

/// Everything that one device tells of one metric of a lab.
struct CalibrationMeasurement {
  std::string lab;
  Metric metric{};
  std::string over;    // speedup: the baseline lab's id
  std::string device;  // the card, or for modelled_time_ms the device that was simulated
  std::string driver;  // "580.159.04"; "" where none was asked
  std::string shape;   // shape_title() of the lab
  std::string kernel;  // "wrong/naive.cu", which is right and must not win; "": the reference
  std::string kernel_sha256;  // of such a kernel
  std::string reference_sha256;
  std::string baseline_sha256;  // "" where there is no baseline
  std::vector<CalibrationRun> runs;
};

/// "m=2048 n=2048 k=2048 float32": a measurement holds for no other shape.
std::string shape_title(const Lab& lab);

std::string calibration_json(const std::vector<CalibrationMeasurement>& measurements);

/// What calibration_json() wrote. Errors, without a file: not JSON, another schema, a value that is
/// missing or of another type or out of range, with its place.
Expected<std::vector<CalibrationMeasurement>> read_calibration(std::string_view json);

}  // namespace tessera
