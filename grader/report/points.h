// Points as files for machines show them.
#pragma once

#include <cmath>
#include <optional>

#include "grader/report/sums.h"

namespace tessera {

/// Shares of points are thirds and sevenths; four decimals are enough.
inline double rounded_points(double points) {
  return std::round(points * 1e4) / 1e4;
}

/// The points won, scaled up by what the grader itself failed on: that costs nothing. Nothing where
/// such failures left nothing to judge.
inline std::optional<double> fair_score(const Sums& sums) {
  if (sums.infra <= 0) return sums.won;
  if (sums.measured <= 0) return std::nullopt;
  return sums.won * (sums.measured + sums.infra) / sums.measured;
}

}  // namespace tessera
