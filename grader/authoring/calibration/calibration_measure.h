// Measures the references of labs, the baselines of their thresholds, and the right kernels that
// must not win them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/expected.h"
#include "grader/authoring/calibration/calibration.h"
#include "grader/gpu/device.h"
#include "grader/judge/judge.h"
#include "grader/lab/lab.h"

namespace tessera {

struct MeasureOptions {
  GradeOptions grade;           // `seed` is the first one; `gpu` is not looked at
  std::vector<GpuDevice> gpus;  // measured on each: one of a kind
  int runs = 5;                 // on a GPU
  /// `what` is a lab's id, or with the name of a wrong kernel behind it.
  std::function<void(const std::string& what, int run)> progress = [](const auto&, int) {};
};

/// Whether a threshold of the lab needs a GPU to be measured.
bool needs_gpu(const Lab& lab);

/// One measurement for each device and each metric (with its `over`) that a threshold of a lab
/// names: on the GPUs, in rounds over all labs, so that what changes within minutes shows between
/// the runs; modelled_time_ms on the device of `options.grade`, once with every compiler here that
/// `options.grade.compiler` allows. The same, but for speedup, of each wrong kernel that loses
/// technique or performance alone. What cannot be measured is a run that failed. Errors: those of
/// read_wrong_kernels().
Expected<std::vector<CalibrationMeasurement>> measure(const std::vector<Lab>& labs,
                                                      const MeasureOptions& options);

}  // namespace tessera
