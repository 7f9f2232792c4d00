// Thresholds on time, measured on a GPU.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "grader/judge/run/grade_options.h"
#include "grader/judge/run/program.h"
#include "grader/lab/lab.h"

namespace tessera {

/// Measures the performance items that are `deferred`, if `options.machine.gpu` can: sets status,
/// points, message and metrics. Outputs of timed launches are verified; a wrong output fails the
/// item. An item whose time is set for another card stays deferred; so does an unstable
/// measurement, and its message says so.
void measure_performance(const Lab& lab, const Program& program, const GradeOptions& options,
                         std::vector<Item>& items);

/// One measurement of a threshold's metric, in the metric's unit.
struct MetricInterval {
  double median = 0;
  double low = 0;  // the median's confidence interval, at 97 % or more
  double high = 0;
  double time_ms = 0;      // the median time of the kernel
  double baseline_ms = 0;  // the median time of the baseline; 0 if there is none
  double clock_mhz = 0;
  std::size_t pairs = 0;
};

/// Measures the metric of `threshold` (and `over`) on `options.machine.gpu`, whatever its ends and
/// devices, as measure_performance() does, but for a kernel that does not cheat: only one timed
/// launch's output is verified. If there is no measurement, the Item says why, by status, message
/// and hint: it is `deferred` if the card is unstable or a baseline is missing.
std::variant<MetricInterval, Item> measure_metric(const Lab& lab, const Program& program,
                                                  const Threshold& threshold,
                                                  const GradeOptions& options);

}  // namespace tessera
