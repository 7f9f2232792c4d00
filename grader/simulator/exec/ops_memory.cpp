// ld and st. A typical access lies in one region and consists of regular pieces, which are copied
// at once; any other access is handled lane by lane.
#include "grader/simulator/exec/ops_memory.h"

#include <type_traits>

namespace tessera::sim {
namespace {

using ptx::Space;

void base_addresses(Warp& warp, const Inst* inst, std::array<std::uint64_t, kLanes>& address) {
  if (inst->flags & MemoryFlags::kWideBase) {
    std::memcpy(address.data(), warp.reg<std::uint64_t>(inst->a), sizeof address);
  } else {
    const std::uint32_t* base = warp.reg<std::uint32_t>(inst->a);
    for (unsigned lane = 0; lane < kLanes; ++lane) address[lane] = base[lane];
  }
}

/// Returns true if the base addresses differ from those in `pattern` by the same distance in all
/// lanes, as in the next pass of a loop; then moves the addresses in `pattern` by this distance.
template <class B>
bool moved(const B* base, Pattern& pattern) {
  auto& address = pattern.address;
  const auto leader = static_cast<std::size_t>(std::countr_zero(pattern.mask));
  const std::uint64_t distance = base[leader] - address[leader];
  std::uint64_t other = 0;
  if (pattern.mask == kAllLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) other |= (base[lane] - address[lane]) ^ distance;
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t active = 0 - std::uint64_t{(pattern.mask >> lane) & 1};
      other |= ((base[lane] - address[lane]) ^ distance) & active;
    }
  }
  if (other != 0) return false;
  if (distance == 0) return true;
  const std::uint64_t low = pattern.low + distance, high = pattern.high + distance;
  if (low > high) return false;  // wrapped
  pattern.low = low;
  pattern.high = high;
  std::uint64_t bits = 0;
  for (std::uint64_t& one : address) {
    one += distance;
    bits |= one;
  }
  pattern.all_bits = bits;
  if (distance % sizeof(std::uint32_t) != 0) {
    pattern.wavefronts = 0;
    pattern.passes = {};
  }
  return true;
}

bool moved(Warp& warp, const Inst* inst, Pattern& pattern) {
  return inst->flags & MemoryFlags::kWideBase ? moved(warp.reg<std::uint64_t>(inst->a), pattern)
                                              : moved(warp.reg<std::uint32_t>(inst->a), pattern);
}

/// The distance of each lane's address from the start of the aligned piece of memory that holds the
/// lowest address.
std::vector<std::optional<std::uint64_t>> offsets_of(const Pattern& pattern, std::uint64_t offset,
                                                     unsigned aligned) {
  const std::uint64_t start = (pattern.low + offset) / aligned * aligned;
  std::vector<std::optional<std::uint64_t>> offsets(kLanes);
  for_lanes(pattern.mask,
            [&](unsigned lane) { offsets[lane] = pattern.address[lane] + offset - start; });
  return offsets;
}

/// Keeps a request as the worst of its site so far. `aligned` is the size in bytes of a sector or
/// of a row of banks.
[[gnu::noinline]] void keep_worst(const Warp& warp, AccessCount& count, const Pattern& pattern,
                                  const Inst* inst, unsigned width, unsigned pieces, unsigned least,
                                  unsigned aligned) {
  const auto offset = static_cast<std::uint64_t>(inst->offset);
  count.worst_block = warp.block->index;
  count.worst_low = pattern.low + offset;
  count.worst_high = pattern.high + offset;
  if (pieces - least <= count.worst_excess) return;
  count.worst_excess = pieces - least;
  count.worst = {.variable = "",
                 .lanes = static_cast<std::uint32_t>(std::popcount(pattern.mask)),
                 .width = width,
                 .passes = pieces,
                 .ideal = least,
                 .stride = common_stride(pattern),
                 .offsets = offsets_of(pattern, offset, aligned)};
}

/// Adds a request of `pieces` passes to the site's count.
void add_request(const Warp& warp, AccessCount& count, const Pattern& pattern, const Inst* inst,
                 unsigned width, unsigned pieces, unsigned least, unsigned aligned) {
  pieces = std::max(pieces, least);  // `pieces` is too small if addresses wrap
  ++count.requests;
  count.pieces += pieces;
  count.least += least;
  if (pieces - least > count.worst_excess || count.requests == 1)
    keep_worst(warp, count, pattern, inst, width, pieces, least, aligned);
}

template <Space kSpace>
void count_access(Warp& warp, Site& site, Pattern& pattern, const Inst* inst, unsigned width) {
  const auto offset = static_cast<std::uint64_t>(inst->offset);
  if constexpr (kSpace == Space::global) {
    SectorCount& sectors = pattern.sectors[(pattern.low + offset) % kSectorBytes];
    if (sectors.touched == 0) {
      const unsigned touched = count_pieces(pattern, offset, width, kSectorBytes);
      // If lanes overlap, they touch fewer sectors than their bytes would need side by side.
      sectors = {
          static_cast<std::uint8_t>(touched),
          static_cast<std::uint8_t>(std::min(touched, least_sectors(pattern, offset, width)))};
    }
    if (warp.worker->launch->cache_lines)
      site.global.cache_lines += count_pieces(pattern, offset, width, kCacheLineBytes);
    add_request(warp, site.global, pattern, inst, width, sectors.touched, sectors.least,
                kSectorBytes);
  } else if constexpr (kSpace == Space::shared) {
    // An offset of whole words moves all lanes by the same number of banks: the count stays.
    if (pattern.wavefronts == 0 || width < 4)
      pattern.wavefronts = count_wavefronts(pattern, offset, width);
    add_request(warp, site.shared, pattern, inst, width, pattern.wavefronts,
                least_wavefronts(pattern.mask, width), kBankRowBytes);
  }
}

void count_loaded(Warp& warp, const Pattern& pattern, const Inst* inst, unsigned width) {
  warp.work.loaded_bytes += static_cast<unsigned>(std::popcount(pattern.mask)) * width;
  if (warp.worker->repeated)
    warp.worker->repeated->add(pattern, static_cast<std::uint64_t>(inst->offset), width);
}

/// The host's memory for the lowest lane, if all lanes are aligned and lie in the region that this
/// instruction used last; else nullptr.
std::byte* fast_host(const Region& region, const Pattern& pattern, std::uint64_t offset,
                     unsigned width) {
  const std::uint64_t low = pattern.low + offset;
  const std::uint64_t end = pattern.high + offset + width;
  // Addresses may wrap. Then `end` is not above `low`: the width, a power of two, divides all of
  // them.
  const bool inside = low >= region.low && end > low && end <= region.high;
  if (!inside || ((pattern.all_bits | offset) & (width - 1)) != 0) return nullptr;
  return region.host + (low - region.low);
}

/// Whether the lanes access `bytes` bytes of the region each, a power of two, and are aligned.
bool all_inside(const Region& region, const std::array<std::uint64_t, kLanes>& address, Mask mask,
                unsigned bytes) {
  std::uint64_t bits = 0;
  bool inside = region.host != nullptr && region.high - region.low >= bytes;
  for_lanes(mask, [&](unsigned lane) {
    bits |= address[lane];
    inside &= address[lane] >= region.low && address[lane] <= region.high - bytes;
  });
  return inside && (bits & (bytes - 1)) == 0;
}

/// Remembers the region that holds [low, end), if there is one. `access` decides whether it must be
/// writable.
void remember_region(Warp& warp, Space space, Site& site, std::uint64_t low, std::uint64_t end,
                     Access access) {
  if (end <= low) return;  // wrapped
  if (space == Space::shared) {
    const Launch& launch = *warp.worker->launch;
    const SharedVariable* variable = launch.shared_before(low);
    if (variable == nullptr || end > variable->address + variable->size) return;
    site.shared_region = {variable->address, variable->address + variable->size,
                          warp.worker->shared.data() + (variable->address - launch.shared_low)};
    return;
  }
  Allocation* allocation = warp.worker->launch->memory->find(low);
  if (allocation == nullptr || end > allocation->address + allocation->size) return;
  if (access != Access::read && allocation->info.read_only) return;
  if (space == Space::constant && !allocation->info.read_only) return;
  mark_use(*allocation, access);
  site.allocation = allocation;
  site.global_region = {allocation->address, allocation->address + allocation->size,
                        allocation->data};
}

std::byte* host_of(Warp& warp, const Inst* inst, Space space, Site& site, const Pattern& pattern,
                   unsigned width, Access access) {
  const auto offset = static_cast<std::uint64_t>(inst->offset);
  const Region& region = space == Space::shared ? site.shared_region : site.global_region;
  if (std::byte* host = fast_host(region, pattern, offset, width)) return host;
  remember_region(warp, space, site, pattern.low + offset, pattern.high + offset + width, access);
  return fast_host(region, pattern, offset, width);
}

void watch_writes(Warp& warp, const Allocation& allocation, const Pattern& pattern,
                  std::uint64_t offset, unsigned width) {
  for_lanes(pattern.mask, [&](unsigned lane) {
    watch_write(warp, lane, allocation, pattern.address[lane] + offset - allocation.address, width);
  });
}

/// Whether every word that the access reads has been written or holds data from the start.
bool all_written(const Allocation& allocation, const Pattern& pattern, std::uint64_t offset,
                 unsigned width) {
  if (allocation.info.initialized) return true;
  bool written = true;
  for_lanes(pattern.mask, [&](unsigned lane) {
    written &= was_written(allocation, pattern.address[lane] + offset - allocation.address, width);
  });
  return written;
}

/// Loads one value in each lane of a pattern whose pieces have `kLength` lanes. Each piece is
/// copied, or is one value for all of its lanes.
template <class T, class D, unsigned kLength>
void gather_pieces(D* to, const Pattern& pattern, const std::byte* host) {
  for (unsigned s = 0; s < kLanes / kLength; ++s) {
    const unsigned lane = s * kLength;
    if (!((pattern.mask >> lane) & 1)) continue;
    const std::byte* from = host + (pattern.address[lane] - pattern.low);
    if ((pattern.consecutive >> s) & 1) {
      if constexpr (sizeof(T) == sizeof(D)) {
        std::memcpy(to + lane, from, kLength * sizeof(T));
      } else {
        T values[kLength];
        std::memcpy(values, from, sizeof values);
        for (unsigned i = 0; i < kLength; ++i) to[lane + i] = static_cast<D>(values[i]);
      }
    } else {
      T value;
      std::memcpy(&value, from, sizeof value);
      for (unsigned i = 0; i < kLength; ++i) to[lane + i] = static_cast<D>(value);
    }
  }
}

/// Loads element `element` of each lane's vector, whether or not the lanes lie in regular pieces.
template <class T, class D>
void gather(D* to, const Pattern& pattern, const std::byte* host, unsigned element) {
  host += element * sizeof(T);
  // The lanes of a vector load are a whole vector apart, so one element of each is not contiguous.
  if (pattern.consecutive == 0 || pattern.width == sizeof(T)) {
    switch (pattern.segment) {
      case 32:
        return gather_pieces<T, D, 32>(to, pattern, host);
      case 16:
        return gather_pieces<T, D, 16>(to, pattern, host);
      case 8:
        return gather_pieces<T, D, 8>(to, pattern, host);
      default:
        break;
    }
  }
  for_lanes(pattern.mask, [&](unsigned lane) {
    T value;
    std::memcpy(&value, host + (pattern.address[lane] - pattern.low), sizeof value);
    to[lane] = static_cast<D>(value);
  });
}

/// Loads vectors of four words, four lanes at a time: their words in rows become rows of a register
/// each.
void gather_quads(const std::array<std::uint32_t*, 4>& to, const Pattern& pattern,
                  const std::byte* host) {
  using Words [[gnu::vector_size(16)]] = std::uint32_t;
  for (unsigned lane = 0; lane < kLanes; lane += 4) {
    std::array<Words, 4> row;
    for (unsigned i = 0; i < 4; ++i)
      std::memcpy(&row[i], host + (pattern.address[lane + i] - pattern.low), sizeof row[i]);
    const Words low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    const Words low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    const Words high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    const Words high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    const std::array<Words, 4> column = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                                         __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                                         __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                                         __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
    for (unsigned e = 0; e < 4; ++e) std::memcpy(to[e] + lane, &column[e], sizeof column[e]);
  }
}

template <class T, class D, unsigned kLength>
void scatter_pieces(const D* from, const Pattern& pattern, std::byte* host) {
  for (unsigned lane = 0; lane < kLanes; lane += kLength) {
    if (!((pattern.mask >> lane) & 1)) continue;
    std::byte* to = host + (pattern.address[lane] - pattern.low);
    if constexpr (sizeof(T) == sizeof(D)) {
      std::memcpy(to, from + lane, kLength * sizeof(T));
    } else {
      T values[kLength];
      for (unsigned i = 0; i < kLength; ++i) values[i] = static_cast<T>(from[lane + i]);
      std::memcpy(to, values, sizeof values);
    }
  }
}

template <class T, class D>
void scatter(const D* from, const Pattern& pattern, std::byte* host, unsigned element) {
  host += element * sizeof(T);
  const Mask pieces = pattern.segment == 0 ? 0 : (Mask{2} << (kLanes / pattern.segment - 1)) - 1;
  if (pattern.segment != 0 && pattern.consecutive == pieces && pattern.width == sizeof(T)) {
    switch (pattern.segment) {
      case 32:
        return scatter_pieces<T, D, 32>(from, pattern, host);
      case 16:
        return scatter_pieces<T, D, 16>(from, pattern, host);
      default:
        return scatter_pieces<T, D, 8>(from, pattern, host);
    }
  }
  for_lanes(pattern.mask, [&](unsigned lane) {
    const T value = static_cast<T>(from[lane]);
    std::memcpy(host + (pattern.address[lane] - pattern.low), &value, sizeof value);
  });
}

constexpr unsigned kMaxVector = 8;

/// The registers of an access: one, or those of a vector form. A vector may have sinks ('_'), which
/// have size 0.
struct Registers {
  Registers(Warp& warp, const Inst* inst, Ref single, bool vector)
      : single_(single), list_(vector ? &warp.frame->function->lists[inst->extra] : nullptr) {}
  bool sink(unsigned element) const { return list_ != nullptr && list_->sizes[element] == 0; }
  Ref operator[](unsigned element) const {
    return list_ != nullptr ? list_->refs[element] : single_;
  }

 private:
  Ref single_;
  const List* list_;
};

/// Loads the `count` elements of each lane.
template <class T, class D>
void gather_all(Warp& warp, const Registers& registers, unsigned count, const Pattern& pattern,
                const std::byte* host) {
  if constexpr (std::is_same_v<T, std::uint32_t> && std::is_same_v<T, D>) {
    const auto sinks = [&] {
      return registers.sink(0) || registers.sink(1) || registers.sink(2) || registers.sink(3);
    };
    if (count == 4 && pattern.mask == kAllLanes && !sinks())
      return gather_quads({warp.reg<D>(registers[0]), warp.reg<D>(registers[1]),
                           warp.reg<D>(registers[2]), warp.reg<D>(registers[3])},
                          pattern, host);
  }
  for (unsigned e = 0; e < count; ++e) {
    if (!registers.sink(e)) gather<T, D>(warp.reg<D>(registers[e]), pattern, host, e);
  }
}

/// Where in Warp::local a lane's access begins, if all lanes of the pattern access `width` aligned
/// bytes inside of their local memory; else nothing.
std::optional<std::array<std::size_t, kLanes>> local_places(const Warp& warp, const Inst* inst,
                                                            const Pattern& pattern,
                                                            unsigned width) {
  const std::uint64_t end = warp.frame->local_base + warp.frame->function->local_bytes;
  if (end < width) return std::nullopt;
  std::array<std::size_t, kLanes> places;
  Mask sound = 0;
  std::uint64_t bits = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t address = pattern.address[lane] + static_cast<std::uint64_t>(inst->offset);
    bits |= (pattern.mask >> lane & 1) != 0 ? address : 0;
    sound |= Mask{address <= end - width} << lane;
    places[lane] = lane * warp.local_stride + static_cast<std::size_t>(address);
  }
  if ((pattern.mask & ~sound) != 0 || (bits & (width - 1)) != 0) return std::nullopt;
  return places;
}

/// Loads from local memory; false if some lane needs a closer look, and nothing was loaded.
template <class T, class D>
bool load_local(Warp& warp, const Inst* inst, const Pattern& pattern, const Registers& registers,
                unsigned count) {
  const unsigned width = count * sizeof(T);
  if ((inst->flags & MemoryFlags::kAnyUnused) != 0) return false;
  const auto places = local_places(warp, inst, pattern, width);
  if (!places) return false;
  const std::uint8_t* written = warp.local_written.data();
  bool all_written = true;
  for_lanes(pattern.mask, [&](unsigned lane) {
    for (unsigned i = 0; i < width; i += sizeof(T)) {
      std::array<std::uint8_t, sizeof(T)> flags;
      std::memcpy(flags.data(), written + (*places)[lane] + i, sizeof flags);
      for (const std::uint8_t flag : flags) all_written &= flag != 0;
    }
  });
  if (!all_written) return false;
  for (unsigned e = 0; e < count; ++e) {
    if (registers.sink(e)) continue;
    D* to = warp.reg<D>(registers[e]);
    for_lanes(pattern.mask, [&](unsigned lane) {
      T value;
      std::memcpy(&value, warp.local.data() + (*places)[lane] + e * sizeof(T), sizeof value);
      to[lane] = static_cast<D>(value);
    });
  }
  return true;
}

/// The same for stores.
template <class T, class D>
bool store_local(Warp& warp, const Inst* inst, const Pattern& pattern, const Registers& registers,
                 unsigned count) {
  const unsigned width = count * sizeof(T);
  const auto places = local_places(warp, inst, pattern, width);
  if (!places) return false;
  for (unsigned e = 0; e < count; ++e) {
    const D* from = warp.reg<D>(registers[e]);
    for_lanes(pattern.mask, [&](unsigned lane) {
      const T value = static_cast<T>(from[lane]);
      const std::size_t at = (*places)[lane] + e * sizeof(T);
      std::memcpy(warp.local.data() + at, &value, sizeof value);
      std::memset(warp.local_written.data() + at, 1, sizeof value);
    });
  }
  return true;
}

template <class T, class D, Space kSpace, bool kVector>
void load_slowly(Warp& warp, const Inst* inst, const Pattern& pattern) {
  const Registers registers(warp, inst, inst->dst, kVector);
  const unsigned count = kVector ? inst->count : 1;
  if constexpr (kSpace == Space::local) {
    ++warp.work.local_accesses;
    if (load_local<T, D>(warp, inst, pattern, registers, count)) return;
  }
  for_lanes(pattern.mask, [&](unsigned lane) {
    const std::uint64_t address = pattern.address[lane] + static_cast<std::uint64_t>(inst->offset);
    const std::byte* host =
        lane_pointer(warp, inst, lane, kSpace, address, count * sizeof(T), Access::read);
    for (unsigned e = 0; e < count; ++e) {
      if (registers.sink(e)) continue;
      const std::byte* from = host != nullptr ? host + e * sizeof(T) : nullptr;
      if (MemoryFlags::has_element(inst->flags, MemoryFlags::kUnused, e))
        from = host_at(warp, lane, kSpace, address + e * sizeof(T), sizeof(T));
      const std::uint32_t word = warp.worker->launch->poison;
      std::uint64_t poison = std::uint64_t{word} << 32 | word;
      T value;
      std::memcpy(&value, from != nullptr ? from : reinterpret_cast<std::byte*>(&poison),
                  sizeof value);
      warp.reg<D>(registers[e])[lane] = static_cast<D>(value);
    }
  });
}

/// Loads parameters at an address that is the same in all lanes, as in compilers' code. Returns
/// false for any other load.
template <class T, class D, bool kVector>
bool load_parameter(Warp& warp, const Inst* inst, const Pattern& pattern) {
  const Registers registers(warp, inst, inst->dst, kVector);
  const unsigned count = kVector ? inst->count : 1;
  std::uint64_t other = 0;
  for (const std::uint64_t address : pattern.address) other |= address ^ pattern.address[0];
  const std::uint64_t address = pattern.address[0] + static_cast<std::uint64_t>(inst->offset);
  const std::uint64_t held = warp.frame->function->parameter_bytes;
  const unsigned width = count * sizeof(T);
  if (other != 0 || !std::has_single_bit(width) || address % width != 0 || held < width ||
      address > held - width)
    return false;
  for (unsigned e = 0; e < count; ++e) {
    if (registers.sink(e)) continue;
    D* to = warp.reg<D>(registers[e]);
    for_lanes(pattern.mask, [&](unsigned lane) {
      T value;
      std::memcpy(&value,
                  warp.frame->parameter(lane, static_cast<std::uint32_t>(address + e * sizeof(T))),
                  sizeof value);
      to[lane] = static_cast<D>(value);
    });
  }
  return true;
}

/// Loads of single words, or of pieces of two: what memory holds of the inputs.
template <class T, class D, Space kSpace, bool kVector>
void pass_tape(Warp& warp, const Inst* inst, const Pattern& pattern) {
  if constexpr (sizeof(T) >= sizeof(std::uint32_t)) {
    constexpr unsigned kWords = sizeof(T) / sizeof(std::uint32_t);
    SharedTape& tape = *warp.worker->tape;
    const Registers registers(warp, inst, inst->dst, kVector);
    const auto pass = [&](std::uint64_t offset, std::uint32_t* words) {
      const auto address = [&](unsigned lane) {
        return pattern.address[lane] + static_cast<std::uint64_t>(inst->offset) + offset;
      };
      if constexpr (kSpace == Space::shared) {
        std::array<StoredWord, kLanes> from{};
        for_lanes(pattern.mask,
                  [&](unsigned lane) { from[lane] = stored_word(warp, lane, address(lane)); });
        tape.pass_shared(warp.index, pattern.mask, from, words);
      } else {
        std::array<std::uint64_t, kLanes> addresses{};
        for_lanes(pattern.mask, [&](unsigned lane) { addresses[lane] = address(lane); });
        tape.pass_global(warp.index, pattern.mask, addresses, words);
      }
    };
    for (unsigned e = 0; e < (kVector ? inst->count : 1u); ++e) {
      if (registers.sink(e)) continue;
      D* values = warp.reg<D>(registers[e]);
      if constexpr (sizeof(D) == sizeof(std::uint32_t)) {
        pass(e * sizeof(T), reinterpret_cast<std::uint32_t*>(values));
        continue;
      }
      std::uint32_t words[kWords][kLanes] = {};
      for_lanes(pattern.mask, [&](unsigned lane) {
        for (unsigned w = 0; w < kWords; ++w)
          words[w][lane] =
              static_cast<std::uint32_t>(static_cast<std::uint64_t>(values[lane]) >> 32 * w);
      });
      for (unsigned w = 0; w < kWords; ++w)
        pass(e * sizeof(T) + w * sizeof(std::uint32_t), words[w]);
      for_lanes(pattern.mask, [&](unsigned lane) {
        std::uint64_t value = 0;
        for (unsigned w = 0; w < kWords; ++w) value |= std::uint64_t{words[w][lane]} << 32 * w;
        values[lane] = static_cast<D>(static_cast<T>(value));
      });
    }
  }
}

/// Counts a load and returns the host's memory for its lowest lane; nullptr if lane_pointer() must
/// check each lane. `checked`: the program reads what is loaded.
template <Space kSpace>
std::byte* open_load(Warp& warp, const Inst* inst, Pattern& pattern, unsigned width, bool checked) {
  Site& site = warp.worker->sites[inst->site];
  count_access<kSpace>(warp, site, pattern, inst, width);
  if constexpr (kSpace == Space::global) count_loaded(warp, pattern, inst, width);
  std::byte* host = host_of(warp, inst, kSpace, site, pattern, width, Access::read);
  bool clean = host != nullptr;
  if constexpr (kSpace == Space::shared) {
    clean = clean && (!checked || shared_access_clean(warp, inst, pattern, Access::read));
  } else if constexpr (kSpace == Space::global) {
    clean = clean && (!checked || (!site.allocation->traced &&
                                   all_written(*site.allocation, pattern,
                                               static_cast<std::uint64_t>(inst->offset), width)));
  }
  return clean ? host : nullptr;
}

template <class T, class D, Space kSpace, bool kVector>
void load_pattern(Warp& warp, const Inst* inst, Pattern& pattern) {
  const unsigned count = kVector ? inst->count : 1;
  const unsigned width = count * sizeof(T);
  const bool checked = kVector || (inst->flags & MemoryFlags::kUnused) == 0;
  const std::byte* host = open_load<kSpace>(warp, inst, pattern, width, checked);
  if (host != nullptr) {
    gather_all<T, D>(warp, Registers(warp, inst, inst->dst, kVector), count, pattern, host);
  } else {
    load_slowly<T, D, kSpace, kVector>(warp, inst, pattern);
  }
  if constexpr (kSpace == Space::shared || kSpace == Space::global) {
    if (warp.worker->tape != nullptr) pass_tape<T, D, kSpace, kVector>(warp, inst, pattern);
  }
}

template <class T, class D, Space kSpace, bool kVector>
void store_slowly(Warp& warp, const Inst* inst, const Pattern& pattern) {
  const Registers registers(warp, inst, inst->b, kVector);
  const unsigned count = kVector ? inst->count : 1;
  if constexpr (kSpace == Space::local) {
    ++warp.work.local_accesses;
    if (store_local<T, D>(warp, inst, pattern, registers, count)) return;
  }
  for_lanes(pattern.mask, [&](unsigned lane) {
    const std::uint64_t address = pattern.address[lane] + static_cast<std::uint64_t>(inst->offset);
    T values[kMaxVector];
    for (unsigned e = 0; e < count; ++e)
      values[e] = static_cast<T>(warp.reg<D>(registers[e])[lane]);
    const auto* incoming = reinterpret_cast<const std::byte*>(values);
    std::byte* to =
        lane_pointer(warp, inst, lane, kSpace, address, count * sizeof(T), Access::write, incoming);
    if (to != nullptr) std::memcpy(to, values, count * sizeof(T));
  });
}

template <class T, class D, Space kSpace, bool kVector>
void store_pattern(Warp& warp, const Inst* inst, Pattern& pattern) {
  const unsigned count = kVector ? inst->count : 1;
  const unsigned width = count * sizeof(T);
  Site& site = warp.worker->sites[inst->site];
  count_access<kSpace>(warp, site, pattern, inst, width);
  const Registers registers(warp, inst, inst->b, kVector);
  std::byte* host = host_of(warp, inst, kSpace, site, pattern, width, Access::write);
  bool clean = host != nullptr;
  if constexpr (kSpace == Space::shared)
    clean = clean && shared_access_clean(warp, inst, pattern, Access::write);
  if constexpr (kSpace == Space::global)
    clean = clean && !site.allocation->traced && !site.allocation->info.input;
  if (clean) {
    if constexpr (kSpace == Space::global) {
      watch_writes(warp, *site.allocation, pattern, static_cast<std::uint64_t>(inst->offset),
                   width);
    }
    for (unsigned e = 0; e < count; ++e) scatter<T, D>(warp.reg<D>(registers[e]), pattern, host, e);
    return;
  }
  store_slowly<T, D, kSpace, kVector>(warp, inst, pattern);
}

/// Calls `access` once for each space that lanes of a generic access reach, with their addresses in
/// that space in `pattern`.
template <class F>
void by_space(Warp& warp, const Inst* inst, Mask mask, unsigned width, Pattern& pattern, F access) {
  base_addresses(warp, inst, pattern.address);
  const LanesBySpace lanes_of =
      split_by_space(pattern.address, static_cast<std::uint64_t>(inst->offset), mask);
  const auto run = [&](Mask lanes, Space space, std::uint64_t window) {
    if (lanes == 0) return;
    base_addresses(warp, inst, pattern.address);
    for (std::uint64_t& address : pattern.address) address -= window;
    analyse(pattern, lanes, width);
    access(space, pattern);
  };
  run(lanes_of.shared, Space::shared, kSharedWindow);
  run(lanes_of.local, Space::local, kLocalWindow);
  run(lanes_of.global, Space::global, 0);
}

template <class T, class D, Space kSpace, bool kVector>
const Inst* load(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  const unsigned width = (kVector ? inst->count : 1) * sizeof(T);
  if constexpr (kSpace == Space::generic) {
    by_space(warp, inst, mask, width, warp.patterns[inst->pattern],
             [&](Space space, Pattern& pattern) {
               if (space == Space::shared)
                 load_pattern<T, D, Space::shared, kVector>(warp, inst, pattern);
               else if (space == Space::global)
                 load_pattern<T, D, Space::global, kVector>(warp, inst, pattern);
               else
                 load_slowly<T, D, Space::local, kVector>(warp, inst, pattern);
             });
  } else if constexpr (kSpace == Space::local || kSpace == Space::param) {
    Pattern& pattern = warp.patterns[inst->pattern];
    base_addresses(warp, inst, pattern.address);
    pattern.mask = mask;
    pattern.width = 0;  // not analysed
    if constexpr (kSpace == Space::param) {
      if (load_parameter<T, D, kVector>(warp, inst, pattern)) return inst + 1;
    }
    load_slowly<T, D, kSpace, kVector>(warp, inst, pattern);
  } else {
    load_pattern<T, D, kSpace, kVector>(warp, inst, pattern_of(warp, inst, mask, width));
  }
  return inst + 1;
}

template <class T, class D, Space kSpace, bool kVector>
const Inst* store(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  const unsigned width = (kVector ? inst->count : 1) * sizeof(T);
  if constexpr (kSpace == Space::generic) {
    by_space(warp, inst, mask, width, warp.patterns[inst->pattern],
             [&](Space space, Pattern& pattern) {
               if (space == Space::shared)
                 store_pattern<T, D, Space::shared, kVector>(warp, inst, pattern);
               else if (space == Space::global)
                 store_pattern<T, D, Space::global, kVector>(warp, inst, pattern);
               else
                 store_slowly<T, D, Space::local, kVector>(warp, inst, pattern);
             });
  } else if constexpr (kSpace == Space::local || kSpace == Space::param) {
    Pattern& pattern = warp.patterns[inst->pattern];
    base_addresses(warp, inst, pattern.address);
    pattern.mask = mask;
    pattern.width = 0;
    store_slowly<T, D, kSpace, kVector>(warp, inst, pattern);
  } else {
    store_pattern<T, D, kSpace, kVector>(warp, inst, pattern_of(warp, inst, mask, width));
  }
  return inst + 1;
}

/// Returns the handler for a type T in memory, a type D in the register, and a space.
template <bool kLoad, class T, class D>
Handler pick_space(Space space, bool vector) {
  const auto pick = [&]<Space kSpace>() -> Handler {
    if constexpr (kLoad)
      return vector ? load<T, D, kSpace, true> : load<T, D, kSpace, false>;
    else
      return vector ? store<T, D, kSpace, true> : store<T, D, kSpace, false>;
  };
  switch (space) {
    case Space::generic:
      return pick.template operator()<Space::generic>();
    case Space::global:
      return pick.template operator()<Space::global>();
    case Space::shared:
      return pick.template operator()<Space::shared>();
    case Space::local:
      return pick.template operator()<Space::local>();
    case Space::constant:
      if constexpr (kLoad) return pick.template operator()<Space::constant>();
      return nullptr;
    case Space::param:
      return pick.template operator()<Space::param>();
  }
  return nullptr;
}

template <bool kLoad, bool kSigned>
Handler pick_types(Space space, unsigned size, unsigned reg_bytes, bool vector) {
  using Byte = std::conditional_t<kSigned, std::int8_t, std::uint8_t>;
  using Half = std::conditional_t<kSigned, std::int16_t, std::uint16_t>;
  using Word = std::conditional_t<kSigned, std::int32_t, std::uint32_t>;
  switch (size * 100 + reg_bytes) {
    case 102:
      return pick_space<kLoad, Byte, std::uint16_t>(space, vector);
    case 104:
      return pick_space<kLoad, Byte, std::uint32_t>(space, vector);
    case 108:
      return pick_space<kLoad, Byte, std::uint64_t>(space, vector);
    case 202:
      return pick_space<kLoad, Half, std::uint16_t>(space, vector);
    case 204:
      return pick_space<kLoad, Half, std::uint32_t>(space, vector);
    case 208:
      return pick_space<kLoad, Half, std::uint64_t>(space, vector);
    case 404:
      return pick_space<kLoad, Word, std::uint32_t>(space, vector);
    case 408:
      return pick_space<kLoad, Word, std::uint64_t>(space, vector);
    case 808:
      return pick_space<kLoad, std::uint64_t, std::uint64_t>(space, vector);
    default:
      return nullptr;
  }
}

}  // namespace

Pattern& pattern_of(Warp& warp, const Inst* inst, Mask mask, unsigned width) {
  Pattern& pattern = warp.patterns[inst->pattern];
  if (pattern.mask == mask && pattern.width == width &&
      (inst->pattern_reused || moved(warp, inst, pattern))) {
    return pattern;
  }
  base_addresses(warp, inst, pattern.address);
  analyse(pattern, mask, width);
  return pattern;
}

OpenAccess open_copied_load(Warp& warp, const Inst* inst, Mask mask) {
  Pattern& pattern = pattern_of(warp, inst, mask, inst->size);
  std::byte* host = open_load<Space::global>(warp, inst, pattern, inst->size, true);
  return {host, pattern.low + static_cast<std::uint64_t>(inst->offset),
          warp.worker->sites[inst->site].allocation};
}

OpenAccess open_copy(Warp& warp, const Inst* inst, Mask mask, unsigned wavefronts) {
  Pattern& pattern = pattern_of(warp, inst, mask, inst->size);
  Site& site = warp.worker->sites[inst->site];
  add_request(warp, site.shared, pattern, inst, inst->size, wavefronts,
              least_wavefronts(mask, inst->size), kBankRowBytes);
  std::byte* host = host_of(warp, inst, Space::shared, site, pattern, inst->size, Access::write);
  return {.host = host, .low = pattern.low + static_cast<std::uint64_t>(inst->offset)};
}

void count_atomic(Warp& warp, const Inst* inst, Space space, Mask mask, unsigned width) {
  if (mask == 0) return;
  Site& site = warp.worker->sites[inst->site];
  const auto count = [&](Space in, Pattern& pattern) {
    if (in == Space::global) {
      count_access<Space::global>(warp, site, pattern, inst, width);
      count_loaded(warp, pattern, inst, width);
    } else if (in == Space::shared) {
      count_access<Space::shared>(warp, site, pattern, inst, width);
    }
  };
  Pattern pattern;
  if (space == Space::generic) return by_space(warp, inst, mask, width, pattern, count);
  base_addresses(warp, inst, pattern.address);
  analyse(pattern, mask, width);
  count(space, pattern);
}

const Inst* check_read(Warp& warp, const Inst* inst, Mask mask) {
  const List& gates = warp.frame->function->lists[inst->extra];
  Mask read = gates.refs.empty() ? kAllLanes : 0;
  Mask condition = kAllLanes;
  for (std::size_t i = 0; i < gates.refs.size(); ++i) {
    const bool negated = (gates.sizes[i] & GateFlags::kNegated) != 0;
    condition &= warp.predicates[gates.refs[i].offset] ^ (negated ? kAllLanes : 0);
    if ((gates.sizes[i] & GateFlags::kLast) == 0) continue;
    read |= condition;
    condition = kAllLanes;
  }
  const Mask lanes = mask & read;
  if (lanes == 0) return inst + 1;
  const auto space = static_cast<Space>(inst->target);
  const std::array<std::uint64_t, kLanes> addresses = lane_addresses(warp, inst);
  if (space == Space::shared &&
      all_inside(warp.worker->sites[inst->site].shared_region, addresses, lanes, inst->size) &&
      shared_read_clean(warp, inst, addresses, lanes))
    return inst + 1;
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint64_t address = addresses[lane];
    const bool noted_at_load =
        address % inst->size != 0 || host_at(warp, lane, space, address, inst->size) == nullptr;
    if (!noted_at_load) lane_pointer(warp, inst, lane, space, address, inst->size, Access::read);
  });
  return inst + 1;
}

LanesBySpace split_by_space(const std::array<std::uint64_t, kLanes>& base, std::uint64_t offset,
                            Mask mask) {
  Mask shared = 0, local = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    shared |= Mask{is_shared_address(base[lane] + offset)} << lane;
    local |= Mask{is_local_address(base[lane] + offset)} << lane;
  }
  return {mask & shared, mask & local, mask & ~shared & ~local};
}

std::uint64_t lane_address(Warp& warp, const Inst* inst, unsigned lane) {
  const std::uint64_t base = inst->flags & MemoryFlags::kWideBase
                                 ? warp.reg<std::uint64_t>(inst->a)[lane]
                                 : warp.reg<std::uint32_t>(inst->a)[lane];
  return base + static_cast<std::uint64_t>(inst->offset);
}

std::array<std::uint64_t, kLanes> lane_addresses(Warp& warp, const Inst* inst) {
  std::array<std::uint64_t, kLanes> address;
  base_addresses(warp, inst, address);
  for (std::uint64_t& one : address) one += static_cast<std::uint64_t>(inst->offset);
  return address;
}

Handler load_handler(Space space, unsigned size, unsigned reg_bytes, bool is_signed, bool vector) {
  return is_signed && size < reg_bytes ? pick_types<true, true>(space, size, reg_bytes, vector)
                                       : pick_types<true, false>(space, size, reg_bytes, vector);
}

Handler store_handler(Space space, unsigned size, unsigned reg_bytes, bool vector) {
  return pick_types<false, false>(space, size, reg_bytes, vector);
}

}  // namespace tessera::sim
