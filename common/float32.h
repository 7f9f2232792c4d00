// Constants of the rounding of sums and products to 32-bit floats.
#pragma once

#include "common/host_matrix.h"

namespace tessera {

/// The largest relative error of a single rounding.
inline constexpr double kUnitRoundoff = 0x1p-24;

/// The same for sums of products of inputs in this storage. Tensor cores, which take 16-bit inputs,
/// cut sums where other units round them.
constexpr double unit_roundoff(Storage inputs) {
  return inputs == Storage::same ? kUnitRoundoff : 2 * kUnitRoundoff;
}

/// Every whole number up to this is a 32-bit float.
inline constexpr double kExactBelow = 0x1p24;

}  // namespace tessera
