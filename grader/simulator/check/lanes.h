// The lanes of a warp.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::sim {

inline constexpr unsigned kLanes = 32;
using Mask = std::uint32_t;  // one bit per lane
inline constexpr Mask kAllLanes = 0xffffffffu;

/// Calls `f(lane)` for each lane of `mask`, lowest first.
template <class F>
inline void for_lanes(Mask mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace tessera::sim
