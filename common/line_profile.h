// What the memory accesses of each source line cost, for pages that show a student's source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

constexpr unsigned kWarpLanes = 32;
constexpr unsigned kSectorBytes = 32;  // the unit of global memory transfers
constexpr unsigned kCacheLineBytes = 128;
constexpr unsigned kBankBytes = 4;       // a bank's share of a row
constexpr unsigned kBankRowBytes = 128;  // of shared memory: 32 banks

/// The addresses of a warp's lanes in the request that was farthest from the ideal.
struct AccessShape {
  std::string variable;         // buffer or shared variable; "" if the line accesses several
  std::uint32_t lanes = 0;      // lanes that took part
  std::uint32_t width = 0;      // bytes per lane
  std::uint32_t passes = 0;     // sectors or wavefronts of this request
  std::uint32_t ideal = 0;      // the fewest that its lanes need
  std::int64_t stride = 0;      // bytes from lane to lane, for most lanes
  std::uint32_t row_bytes = 0;  // from row to row of the variable; 0: it has no rows
  /// Each lane's first byte, counted from the start of the sector (global) or of the row of banks
  /// (shared) with the lowest address; nothing for a lane that took no part. Empty, or 32 lanes.
  std::vector<std::optional<std::uint64_t>> offsets = {};
};

/// All loads or all stores of one source line in one memory.
struct LineAccess {
  enum class Memory { global, shared };

  int line = 0;  // 1-based
  Memory memory = Memory::global;
  bool store = false;
  std::uint64_t requests = 0;  // warp instructions with at least one lane
  std::uint64_t passes = 0;    // sectors (global) or wavefronts (shared)
  std::uint64_t ideal = 0;     // the fewest passes that these requests need
  AccessShape worst;
};

}  // namespace tessera
