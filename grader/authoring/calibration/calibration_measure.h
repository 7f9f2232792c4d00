// Measures the references of labs, the baselines of their thresholds, and right kernels that must
// not meet the thresholds.
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
  GradeOptions grade;           // `seed` is the first seed; `gpu` is ignored
  std::vector<GpuDevice> gpus;  // to measure on; one of each kind
  int runs = 5;                 // on a GPU
  /// `what` is a lab's id, which the name of a wrong kernel may follow.
  std::function<void(const std::string& what, int run)> progress = [](const auto&, int) {};
};

/// Whether a threshold of the lab needs a GPU to be measured.
bool needs_gpu(const Lab& lab);

/// Measures each metric (with its `over`) that a threshold of a lab names on each device: on the
/// GPUs, in rounds over all labs, so that what changes within minutes shows between the runs;
/// modelled_time_ms on the device of `options.grade`, once with every compiler here that
/// `options.grade.compiler` allows. Measures the same, except speedup, for each wrong kernel that
/// loses only technique or performance. What cannot be measured is a run that failed. Errors: those
/// of read_wrong_kernels().
Expected<std::vector<CalibrationMeasurement>> measure(const std::vector<Lab>& labs,
                                                      const MeasureOptions& options);

}  // namespace tessera
