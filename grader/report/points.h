// Points as numbers for people and for files.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tessera {

/// `points` rounded to four decimals, enough for shares such as thirds and sevenths.
inline double rounded_points(double points) {
  return std::round(points * 1e4) / 1e4;
}

/// Points for people: "10.0", and "6.25" if one decimal is not enough.
inline std::string points_decimals(double points) {
  const bool exact = std::abs(points * 10 - std::round(points * 10)) < 1e-6;
  return fmt::format("{:.{}f}", points, exact ? 1 : 2);
}

}  // namespace tessera
