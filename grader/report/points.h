// Points as people and files for machines are shown them.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tessera {

/// Shares of points are thirds and sevenths; four decimals are enough.
inline double rounded_points(double points) {
  return std::round(points * 1e4) / 1e4;
}

/// Points as people read them: "10.0", and "6.25" where one decimal does not tell them.
inline std::string points_decimals(double points) {
  const bool exact = std::abs(points * 10 - std::round(points * 10)) < 1e-6;
  return fmt::format("{:.{}f}", points, exact ? 1 : 2);
}

}  // namespace tessera
