// Points as files for machines show them.
#pragma once

#include <cmath>

namespace tessera {

/// Shares of points are thirds and sevenths; four decimals are enough.
inline double rounded_points(double points) {
  return std::round(points * 1e4) / 1e4;
}

}  // namespace tessera
