#include "grader/simulator/exec/pattern.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tessera::sim {
namespace {

/// A set of up to 32 numbers that need not be cleared before use.
class SmallSet {
 public:
  /// True if `key` was not yet in the set.
  bool insert(std::uint64_t key) { return place(key).second; }

  /// Returns a number below 64 that only this key has, and whether it was not yet in the set.
  std::pair<unsigned, bool> place(std::uint64_t key) {
    unsigned slot = static_cast<unsigned>((key * 0x9e3779b97f4a7c15ull) >> 58);
    while ((used_ >> slot) & 1) {
      if (keys_[slot] == key) return {slot, false};
      slot = (slot + 1) & 63;
    }
    used_ |= std::uint64_t{1} << slot;
    keys_[slot] = key;
    return {slot, true};
  }

 private:
  std::uint64_t used_ = 0;
  std::array<std::uint64_t, 64> keys_;
};

/// Whether each piece of `length` lanes is wholly active or wholly inactive, and the addresses of
/// each active piece are all equal or rise by the width from lane to lane.
bool regular(Pattern& pattern, unsigned length, Mask equal, Mask rising) {
  const Mask piece = length == kLanes ? kAllLanes : (Mask{1} << length) - 1;
  std::uint32_t consecutive = 0;
  for (unsigned s = 0; s < kLanes / length; ++s) {
    const Mask lanes = piece << (s * length);
    const Mask in = pattern.mask & lanes;
    if (in == 0) continue;
    if (in != lanes) return false;
    const Mask gaps = lanes & (lanes >> 1);
    if ((equal & gaps) == gaps) continue;
    if ((rising & gaps) != gaps) return false;
    consecutive |= 1u << s;
  }
  pattern.segment = length;
  pattern.consecutive = consecutive;
  return true;
}

/// Whether the regular pieces of a 4-byte access use different banks, or the same words of them.
bool banks_disjoint(const Pattern& pattern, std::uint64_t offset) {
  std::uint32_t used = 0;
  std::uint64_t first_word = ~std::uint64_t{0};
  bool first_rises = false;
  for (unsigned s = 0; s < kLanes / pattern.segment; ++s) {
    if (!((pattern.mask >> (s * pattern.segment)) & 1)) continue;
    const std::uint64_t word = (pattern.address[s * pattern.segment] + offset) >> 2;
    const bool rises = (pattern.consecutive >> s) & 1;
    if (word == first_word && rises == first_rises) continue;
    const std::uint32_t banks = rises ? (std::uint32_t{1} << pattern.segment) - 1 : 1;
    const std::uint32_t placed = std::rotl(banks, static_cast<int>(word & 31));
    if ((used & placed) != 0) return false;
    used |= placed;
    if (first_word == ~std::uint64_t{0}) {
      first_word = word;
      first_rises = rises;
    }
  }
  return true;
}

/// Whether the lanes of a group, `count` from `first` on, access each bank at most once, or at the
/// same address: a row of all banks has a place for each lane. False also if an address is no
/// multiple of `width`.
bool is_one_wavefront(const Pattern& pattern, std::uint64_t offset, unsigned width, unsigned first,
                      unsigned count) {
  std::array<std::uint64_t, kLanes> address_in;  // by place
  const int shift = std::countr_zero(width);
  Mask used = 0;
  std::uint64_t bits = 0;
  bool once = true;
  for (unsigned lane = first; lane < first + count; ++lane) {
    if (!((pattern.mask >> lane) & 1)) continue;
    const std::uint64_t address = pattern.address[lane] + offset;
    const std::uint64_t place = address >> shift & (count - 1);
    bits |= address;
    once &= (used >> place & 1) == 0 || address_in[place] == address;
    used |= Mask{1} << place;
    address_in[place] = address;
  }
  return once && (bits & (width - 1)) == 0;
}

}  // namespace

void analyse(Pattern& pattern, Mask mask, unsigned width) {
  auto& address = pattern.address;
  const std::uint64_t first = address[static_cast<std::size_t>(std::countr_zero(mask))];
  pattern.mask = mask;
  pattern.width = width;
  pattern.wavefronts = 0;
  pattern.passes = {};
  pattern.groups.count = 0;
  pattern.sectors.fill({});
  pattern.segment = 0;
  pattern.consecutive = 0;
  // Idle lanes get the address of an active lane, so that the loops below need no mask.
  if (std::has_single_bit(mask)) {
    address.fill(first);
    pattern.low = pattern.high = pattern.all_bits = first;
    return;
  }
  if (mask != kAllLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (!((mask >> lane) & 1)) address[lane] = first;
    }
  }
  std::uint64_t low = address[0], high = address[0], bits = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    low = std::min(low, address[lane]);
    high = std::max(high, address[lane]);
    bits |= address[lane];
  }
  Mask equal = 0, rising = 0;
  for (unsigned lane = 0; lane + 1 < kLanes; ++lane) {
    const std::uint64_t gap = address[lane + 1] - address[lane];
    equal |= Mask{gap == 0} << lane;
    rising |= Mask{gap == width} << lane;
  }
  pattern.low = low;
  pattern.high = high;
  pattern.all_bits = bits;
  for (unsigned length : {32u, 16u, 8u}) {
    if (regular(pattern, length, equal, rising)) return;
  }
}

LaneGroups groups_of(const std::array<std::uint64_t, kLanes>& address, Mask mask) {
  LaneGroups groups;
  SmallSet seen;
  std::array<std::uint8_t, 64> group_in;  // by place in the set
  for_lanes(mask, [&](unsigned lane) {
    const auto [place, is_new] = seen.place(address[lane]);
    if (is_new) {
      group_in[place] = static_cast<std::uint8_t>(groups.count++);
    } else {
      groups.several |= Mask{1} << group_in[place];
    }
    groups.lane[group_in[place]] = static_cast<std::uint8_t>(lane);
  });
  return groups;
}

unsigned count_pieces(const Pattern& pattern, std::uint64_t offset, unsigned width,
                      unsigned bytes) {
  const int shift = std::countr_zero(bytes);
  if (pattern.segment == 0) {
    SmallSet seen;
    unsigned count = 0;
    for_lanes(pattern.mask, [&](unsigned lane) {
      const std::uint64_t address = pattern.address[lane] + offset;
      const std::uint64_t last = (address + width - 1) >> shift;
      for (std::uint64_t piece = address >> shift; piece <= last; ++piece)
        count += seen.insert(piece);
    });
    return std::max(count, 1u);  // 0 if addresses wrap
  }
  std::uint64_t first[4], last[4];
  unsigned segments = 0, count = 0;
  for (unsigned s = 0; s < kLanes / pattern.segment; ++s) {
    if (!((pattern.mask >> (s * pattern.segment)) & 1)) continue;
    const std::uint64_t address = pattern.address[s * pattern.segment] + offset;
    const unsigned span = (pattern.consecutive >> s) & 1 ? pattern.segment * width : width;
    first[segments] = address >> shift;
    last[segments] = (address + span - 1) >> shift;
    // Counts the pieces that no earlier segment has, one by one: there are at most 16 sectors.
    for (std::uint64_t piece = first[segments]; piece <= last[segments]; ++piece) {
      bool known = false;
      for (unsigned p = 0; p < segments; ++p) known |= piece >= first[p] && piece <= last[p];
      count += !known;
    }
    ++segments;
  }
  return std::max(count, 1u);
}

unsigned least_sectors(const Pattern& pattern, std::uint64_t offset, unsigned width) {
  unsigned distinct = 0;
  if (pattern.segment == 0) {
    SmallSet seen;
    for_lanes(pattern.mask, [&](unsigned lane) { distinct += seen.insert(pattern.address[lane]); });
  } else {
    SmallSet starts;
    for (unsigned lane = 0, s = 0; lane < kLanes; lane += pattern.segment, ++s) {
      if (!((pattern.mask >> lane) & 1) || !starts.insert(pattern.address[lane])) continue;
      distinct += (pattern.consecutive >> s) & 1 ? pattern.segment : 1;
    }
  }
  const auto start = static_cast<unsigned>((pattern.low + offset) & 31);
  return (start + distinct * width + 31) / 32;
}

std::int64_t common_stride(const Pattern& pattern) {
  std::array<std::int64_t, kLanes> gaps;
  std::size_t count = 0;
  std::uint64_t previous = 0;
  bool first = true;
  for_lanes(pattern.mask, [&](unsigned lane) {
    if (!first) gaps[count++] = static_cast<std::int64_t>(pattern.address[lane] - previous);
    previous = pattern.address[lane];
    first = false;
  });
  std::int64_t best = 0;
  std::ptrdiff_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::ptrdiff_t same =
        std::count(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(count), gaps[i]);
    if (same > most) {
      most = same;
      best = gaps[i];
    }
  }
  return best;
}

unsigned least_wavefronts(Mask mask, unsigned width) {
  if (width <= 4) return 1;
  const unsigned groups = width / 4;
  const unsigned lanes = kLanes / groups;
  unsigned count = 0;
  for (unsigned g = 0; g < groups; ++g)
    count += ((mask >> (g * lanes)) & ((Mask{1} << lanes) - 1)) != 0;
  return count;
}

unsigned count_wavefronts(const Pattern& pattern, std::uint64_t offset, unsigned width) {
  if (pattern.segment == kLanes && width <= 4) return 1;
  if (pattern.segment != 0 && width == 4 && banks_disjoint(pattern, offset)) return 1;
  const unsigned groups = std::max(1u, width / 4);
  const unsigned group_lanes = kLanes / groups;
  unsigned total = 0;
  for (unsigned g = 0; g < groups; ++g) {
    if (width >= 4 && is_one_wavefront(pattern, offset, width, g * group_lanes, group_lanes)) {
      total += (pattern.mask >> (g * group_lanes) & (~Mask{0} >> (kLanes - group_lanes))) != 0;
      continue;
    }
    SmallSet seen;
    std::array<std::uint8_t, 32> words_in_bank{};
    unsigned passes = 0;
    for (unsigned i = 0; i < group_lanes; ++i) {
      const unsigned lane = g * group_lanes + i;
      if (!((pattern.mask >> lane) & 1)) continue;
      const std::uint64_t address = pattern.address[lane] + offset;
      const std::uint64_t last = (address + width - 1) >> 2;
      for (std::uint64_t word = address >> 2; word <= last; ++word) {
        if (seen.insert(word)) passes = std::max<unsigned>(passes, ++words_in_bank[word & 31]);
      }
    }
    total += passes;
  }
  return total;
}

}  // namespace tessera::sim
