// Who touched which granule of a buffer in global memory: races inside a block and between the
// blocks of a launch. Kept while blocks run one after the other; all of them count as concurrent.
// And, of shared memory too, the accesses that a last one does not stand for.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grader/simulator/check/order.h"

namespace tessera::sim {

/// The last access of one kind. 24 bytes.
struct Footprint {
  std::uint32_t block = 0;  // linear number, from 1; 0: nobody
  std::uint32_t who = 0;    // Who of shadow.h
  std::uint32_t epoch = 0;
  std::uint32_t site = 0;  // memory instruction
  std::uint64_t time = 0;  // warp instructions of the warp

  Moment moment() const { return {block - 1, who, epoch, time}; }
};

struct Footprints {
  Footprint write;
  Footprint read;
  Footprint read_elsewhere;  // a read by another block than `read`'s that no flag orders before it
};

/// Accesses of a granule for which its last store and last read do not stand: what comes after
/// those may not come after these.
struct EarlierAccesses {
  std::vector<Footprint> reads;  // plain ones, the last of each thread
  /// Over which another thread, unordered with it, stored the same value, or a strong access was
  /// made: whoever is ordered with that one may not be with these.
  std::vector<Footprint> stores;
  Footprint cached;  // a read through the read-only cache
};

/// The earlier accesses of all granules, by block and thread.
class Earlier {
 public:
  const EarlierAccesses& of(std::size_t granule) const {
    return granules_.empty() ? kNone : look_up(granule);
  }
  /// False, with nothing kept, beyond the most.
  bool add_read(std::size_t granule, const Footprint& read);
  void add_cached(std::size_t granule, const Footprint& read);
  /// Another store comes over `last`. Keeps what it hides; the rest is ordered before it or has
  /// been told. `sees`: an atomic whose thread looks at the value that others left, as at a ticket;
  /// `same_value`: a plain store of the value that is there; `unordered`: with `last`.
  void store_over(std::size_t granule, const Footprint& last, bool strong, bool sees,
                  bool same_value, bool unordered);
  void forget_all();

 private:
  static const EarlierAccesses kNone;
  static constexpr std::size_t kMost = 1 << 20;   // granules, and reads of all of them
  static constexpr std::size_t kMostStores = 16;  // of a granule: every access looks at each

  const EarlierAccesses& look_up(std::size_t granule) const;
  void add_store(std::size_t granule, const Footprint& store);
  void forget_reads(std::size_t granule);
  bool full() const { return reads_ >= kMost || granules_.size() >= kMost; }

  std::unordered_map<std::size_t, EarlierAccesses> granules_;
  std::size_t reads_ = 0;
};

/// The footprints of one buffer: 72 bytes a granule, of memory that is used only where touched.
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

/// Takes the access into the granule's footprints.
void record_read(Footprints& granule, const Footprint& now, const MemoryOrder& order);
void record_write(Footprints& granule, const Footprint& now);

}  // namespace tessera::sim
