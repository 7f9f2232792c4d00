// What is found out once about the 32 addresses of an access: range, regular pieces, sectors, bank
// conflicts.
#pragma once

#include <array>
#include <cstdint>

#include "common/line_profile.h"
#include "grader/simulator/check/lanes.h"

namespace tessera::sim {

/// Sectors that an access to global memory touches, and the fewest that could hold its lanes.
struct SectorCount {
  std::uint8_t touched = 0;  // 0: not yet known
  std::uint8_t least = 0;
};

/// Lanes in groups that have one address each.
struct LaneGroups {
  unsigned count = 0;
  std::array<std::uint8_t, kLanes> lane;  // the last one of each group
  Mask several = 0;                       // bit g: group g has more than one lane
};

/// The base addresses of one access, used by every access from the same base. All but the
/// addresses, `low` and `high` still holds if all lanes move by the same distance.
struct Pattern {
  alignas(64) std::array<std::uint64_t, kLanes> address;
  std::uint64_t low = 0;       // over active lanes
  std::uint64_t high = 0;      // highest lane's first byte
  std::uint64_t all_bits = 0;  // bitwise or of the active addresses, for their alignment
  Mask mask = 0;
  unsigned segment = 0;  // lanes in a regular piece: 32, 16, 8; 0: irregular
  std::uint32_t consecutive =
      0;  // bit s: segment s rises by `width` from lane to lane; else all its lanes are equal
  unsigned width = 0;       // bytes a lane
  unsigned wavefronts = 0;  // shared memory, for whole words; 0: not yet known
  /// shared_passes() of aligned accesses of 4, 8 and 16 bytes from these addresses; 0: not yet
  /// known
  std::array<std::uint8_t, 3> passes{};
  LaneGroups groups;                                // of the active lanes; none: not yet known
  std::array<SectorCount, kSectorBytes> sectors{};  // by where in a sector the lowest lane starts
};

/// Fills `pattern` from the addresses of the lanes in `mask`; `mask` is not empty.
void analyse(Pattern& pattern, Mask mask, unsigned width);

LaneGroups groups_of(const std::array<std::uint64_t, kLanes>& address, Mask mask);

/// Distinct aligned pieces of `bytes`, a power of two, that an access `offset` bytes from the
/// pattern touches. `width` is bytes a lane.
unsigned count_pieces(const Pattern& pattern, std::uint64_t offset, unsigned width, unsigned bytes);
/// The fewest sectors that hold what the lanes ask for, each address once, if it lay in one piece
/// that starts where the lowest lane does: a piece that starts inside a sector may need one more.
unsigned least_sectors(const Pattern& pattern, std::uint64_t offset, unsigned width);

/// Passes of the shared-memory pipe.
unsigned count_wavefronts(const Pattern& pattern, std::uint64_t offset, unsigned width);
/// Groups of lanes that the pipe serves at a time: 1 up to 4 bytes a lane, 2 for 8, 4 for 16; only
/// those with a lane.
unsigned least_wavefronts(Mask mask, unsigned width);

/// The most frequent distance in bytes from one active lane to the next.
std::int64_t common_stride(const Pattern& pattern);

}  // namespace tessera::sim
