// The times that a performance item compares, for a common axis.
#pragma once

#include <string>
#include <vector>

#include "grader/judge/points/record.h"

namespace tessera {

struct TimeBar {
  enum class Kind { yours, baseline, threshold, roof };

  Kind kind = Kind::yours;
  std::string label;
  double ms = 0;  // finite, greater than 0
};

/// The submission's time first, then the baseline's, the thresholds (those of a ratio as times) and
/// the roof, as far as the record has them. Nothing if the item was not measured.
std::vector<TimeBar> time_bars(const Item& item);

/// The largest of the times.
double longest_ms(const std::vector<TimeBar>& bars);

/// "5.312 ms"
std::string time_label(double ms);

}  // namespace tessera
