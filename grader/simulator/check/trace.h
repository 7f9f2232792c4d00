// The last accesses of each granule of a buffer in global memory, to find races inside a block and
// between the blocks of a launch. They are kept while blocks run one after the other; all blocks
// count as concurrent. Class Earlier, also used for shared memory, keeps those earlier accesses
// that the last one does not cover.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/simulator/check/order.h"

namespace tessera::sim {

/// The last access of one kind. It takes 24 bytes.
struct Footprint {
  std::uint32_t block = 0;  // linear number, from 1; 0: no access
  std::uint32_t who = 0;    // Who of shadow.h
  std::uint32_t epoch = 0;
  std::uint32_t site = 0;  // memory instruction
  std::uint64_t time = 0;  // instructions that the warp had run

  Moment moment() const { return {block - 1, who, epoch, time}; }
  bool operator==(const Footprint&) const = default;
};

struct Footprints {
  Footprint write;
  Footprint read;
  Footprint read_elsewhere;  // by another block than `read`, and not ordered before it by a flag
};

/// Accesses to a granule that its last store and last read do not cover: an access that is ordered
/// after those need not be ordered after these.
struct EarlierAccesses {
  std::vector<Footprint> reads;  // plain ones, the last of each thread
  /// Stores that were followed by a strong access, or by an unordered store of the same value by
  /// another thread: an access that is ordered after the follower need not be ordered after these.
  std::vector<Footprint> stores;
  /// Reads before the last store: another store of the same value may come before them.
  std::vector<Footprint> overwritten;
  Footprint cached;  // a read through the read-only cache
  /// If not 0, all of `reads` and `stores` are atomic accesses of so many bytes: such an access of
  /// the same block races with none of them.
  std::uint32_t atomic_bytes = 0;
};

/// The earlier accesses of all granules.
class Earlier {
 public:
  const EarlierAccesses& of(std::size_t granule) const {
    return granules_.empty() ? kNone : look_up(granule);
  }
  bool has(std::size_t granule) const { return granules_.contains(granule); }
  /// Returns false, and keeps nothing, if the limit is reached. `atomic_bytes`: of an atomic
  /// access, else 0.
  bool add_read(std::size_t granule, const Footprint& read, std::uint32_t atomic_bytes);
  void add_cached(std::size_t granule, const Footprint& read);
  /// Records that a store follows the store `last`. Keeps `last` if the new store hides it;
  /// otherwise `last` is ordered before it or already reported. `sees`: the new store is an atomic
  /// whose thread uses the value that was there, as it uses a ticket. `same_value`: it is a plain
  /// store of the value that was there. `unordered`: it is not ordered after `last`.
  /// `atomic_bytes`: of `last`, as in add_read().
  void store_over(std::size_t granule, const Footprint& last, std::uint32_t atomic_bytes,
                  bool strong, bool sees, bool same_value, bool unordered);
  void forget_all();

 private:
  static const EarlierAccesses kNone;
  static constexpr std::size_t kMost = 1 << 20;   // of granules, and of reads in all of them
  static constexpr std::size_t kMostStores = 16;  // per granule: every access checks all of them

  const EarlierAccesses& look_up(std::size_t granule) const;
  void add_store(std::size_t granule, const Footprint& store, std::uint32_t atomic_bytes);
  bool full() const { return reads_ >= kMost || granules_.size() >= kMost; }

  std::unordered_map<std::size_t, EarlierAccesses> granules_;
  std::size_t reads_ = 0;  // `overwritten` ones too
};

/// The footprints of one buffer: 72 bytes per granule, in memory that takes room only where
/// granules are accessed.
class Trace {
 public:
  Trace(std::uint64_t bytes, unsigned granule_bytes);

  std::size_t granule(std::uint64_t offset) const {
    return static_cast<std::size_t>(offset / granule_bytes_);
  }
  unsigned granule_bytes() const { return granule_bytes_; }
  Footprints& operator[](std::size_t granule) { return footprints_[granule]; }

  Earlier earlier;

 private:
  struct Free {
    void operator()(Footprints* memory) const { std::free(memory); }
  };
  unsigned granule_bytes_;
  std::unique_ptr<Footprints[], Free> footprints_;
};

/// Records the access in the granule's footprints.
void record_read(Footprints& granule, const Footprint& now, const MemoryOrder& order);
void record_write(Footprints& granule, const Footprint& now);

}  // namespace tessera::sim
