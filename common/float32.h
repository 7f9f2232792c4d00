// What rounding to 32-bit floats does to sums and products.
#pragma once

namespace tessera {

/// The largest relative error of one rounding.
inline constexpr double kUnitRoundoff = 0x1p-24;

/// Whole numbers up to this are 32-bit floats.
inline constexpr double kExactBelow = 0x1p24;

}  // namespace tessera
