// What `tessera lab calibrate` measured ("tessera.calibration/1"), possibly on another machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/judge/run/performance.h"
#include "grader/lab/lab.h"

namespace tessera {

/// A measurement of a kernel, or why there is none.
struct CalibrationRun {
  std::string compiler;  // "nvrtc 13.0"
  std::uint64_t seed = 0;
  std::string failure;  // "unstable: another process used the GPU in 9 of 21 pairs"; else ""
  std::string hint;     // what to do about the failure
  MetricInterval value;

  bool failed() const { return !failure.empty(); }
};

/// All measurements of a metric of a lab on a device.
struct CalibrationMeasurement {
  std::string lab;
  Metric metric{};
  std::string over;    // speedup: the baseline lab's id
  std::string device;  // the card, or for modelled_time_ms the simulated device
  std::string driver;  // "580.159.04"; "" if no driver took part
  std::string shape;   // shape_title() of the lab
  std::string kernel;  // "wrong/naive.cu", which is right but must not win; "": the reference
  std::string kernel_sha256;  // "" for the reference
  std::string reference_sha256;
  std::string baseline_sha256;  // "" if there is no baseline
  std::vector<CalibrationRun> runs;
};

/// "m=2048 n=2048 k=2048 float32", the only shape for which a measurement holds.
std::string shape_title(const Lab& lab);

std::string calibration_json(const std::vector<CalibrationMeasurement>& measurements);

/// Reads what calibration_json() wrote. Errors, with the place but without a file: not JSON,
/// another schema, a value that is missing, of another type or out of range.
Expected<std::vector<CalibrationMeasurement>> read_calibration(std::string_view json);

}  // namespace tessera
