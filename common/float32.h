// Constants of the rounding of sums and products to 32-bit floats.
#pragma once

namespace tessera {

/// The largest relative error of a single rounding.
inline constexpr double kUnitRoundoff = 0x1p-24;

/// Every whole number up to this is a 32-bit float.
inline constexpr double kExactBelow = 0x1p24;

}  // namespace tessera
