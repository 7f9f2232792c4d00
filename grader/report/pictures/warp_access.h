// The lanes of a warp sorted by place: banks of shared memory, sectors of global memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/line_profile.h"

namespace tessera {

constexpr unsigned kBanks = kBankRowBytes / kBankBytes;
constexpr unsigned kSectorWords = kSectorBytes / kBankBytes;

/// A word of shared memory and the lanes that want it, in their order. All are served together.
struct BankWord {
  std::uint64_t index = 0;  // in words, from the start of the lowest row of banks
  std::vector<unsigned> lanes;
};

/// What each bank must deliver, one word in each wavefront. Accesses wider than a word are served
/// 16 or 8 lanes at a time: then these are the lanes that wait longest.
struct BankUse {
  std::array<std::vector<BankWord>, kBanks> words;
  unsigned first_lane = 0;
  unsigned lanes = kWarpLanes;  // served at a time
  unsigned wavefronts = 0;      // the most words of one bank

  unsigned banks_used() const;
};

/// The use of the banks by a request. Needs offsets of 32 lanes.
BankUse banks_of(const AccessShape& shape);

/// A sector of 32 bytes that lanes touch.
struct Sector {
  std::uint64_t index = 0;  // counted from the sector of the lowest lane
  std::uint8_t words = 0;   // a bit for each of its eight words that is touched
  std::vector<unsigned> lanes;
};

/// The touched sectors by address. Needs offsets of 32 lanes.
std::vector<Sector> sectors_of(const AccessShape& shape);

/// "0-7", "0-3, 8", "5": lanes in their order.
std::string ranges_of(const std::vector<unsigned>& lanes);

/// The same in at most `most` characters, at least 8: "0-7 +8" is the first run of lanes, and how
/// many more there are.
std::string short_ranges_of(const std::vector<unsigned>& lanes, std::size_t most);

/// "line 23, shared load of As: 8 wavefronts a request where 1 would do"
std::string access_title(const LineAccess& access);

/// Whether the record says where the lanes lay.
bool has_lanes(const AccessShape& shape);

}  // namespace tessera
