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

/// Measures the performance items that are `deferred`, where `options.machine.gpu` can: sets
/// status, points, message and metrics. The outputs of timed launches are verified; a wrong one
/// fails the item. What this card cannot tell (a time that is set for another) stays deferred; an
/// unstable clock makes it deferred with that word.
void measure_performance(const Lab& lab, const Program& program, const GradeOptions& options,
                         std::vector<Item>& items);

/// One measurement of a threshold's metric, in the metric's unit.
struct MetricInterval {
  double median = 0;
  double low = 0;  // the median's interval, at 97 % confidence or more
  double high = 0;
  double time_ms = 0;      // of the kernel, median
  double baseline_ms = 0;  // of what it was measured against; 0: nothing
  double clock_mhz = 0;
  std::size_t pairs = 0;
};

/// Measures the metric of `threshold` (and `over`) on `options.machine.gpu`, whatever its ends and
/// devices, in the way of measure_performance(), but for a kernel that does not cheat: the output
/// of one timed launch is verified. An Item tells by status, message and hint why there is nothing:
/// `deferred` where the card is unstable or a baseline is missing.
std::variant<MetricInterval, Item> measure_metric(const Lab& lab, const Program& program,
                                                  const Threshold& threshold,
                                                  const GradeOptions& options);

}  // namespace tessera
