// Who has read each granule of shared memory since it was stored, where every reader is kept.
// Granules that the same threads have read in the same order share one set, as those of a tile
// do: a read then costs a look at the last step from set to set, and no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grader/simulator/check/trace.h"

namespace tessera::sim {

class ReaderSets {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNone = 0;            // no reader
  static constexpr Id kElsewhere = ~Id{0};  // class Earlier knows the readers
  static constexpr std::size_t kMost = 64;  // of one set

  /// Makes room for so many granules. None has a reader.
  void resize(std::size_t granules);

  Id of(std::size_t granule) const { return since_[granule] == start_ ? ids_[granule] : kNone; }
  void put(std::size_t granule, Id id) {
    if (since_[granule] != start_) overwritten_[granule] = kNone;
    ids_[granule] = id;
    since_[granule] = start_;
  }
  /// A store has followed: the granule has no reader any more.
  void put_store(std::size_t granule) {
    const Id readers = of(granule);
    put(granule, kNone);
    if (readers != kNone && readers != kElsewhere) overwritten_[granule] = readers;
  }
  /// The readers before that store.
  Id overwritten(std::size_t granule) const {
    return since_[granule] == start_ ? overwritten_[granule] : kNone;
  }

  /// The readers, the last of each thread, in the order of their numbers. Valid until with().
  std::span<const Footprint> readers(Id id) const {
    return {pool_.data() + sets_[id].first, sets_[id].count};
  }

  /// The set `id` with `reader` in place of this thread's earlier one; kElsewhere if it would have
  /// more than kMost readers, or there is no room. Sets that belong to no granule may be removed,
  /// and others get new numbers.
  Id with(Id id, const Footprint& reader);

  /// Notes that every reader of the set is ordered before what the thread does from now on.
  void note_precede(Id id, std::uint32_t thread) {
    precede_[place(id, thread)] = {start_, id, thread};
  }
  /// Whether that was noted, and has not been forgotten.
  bool precede(Id id, std::uint32_t thread) const {
    return precede_[place(id, thread)] == Order{start_, id, thread};
  }

  /// No granule has a reader any more.
  void forget_all();

 private:
  struct Set {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  struct Step {
    std::uint32_t since = 0;  // start_ then; 0: none
    Id from = kNone;
    Id to = kNone;
    Footprint reader;
  };
  struct Order {
    std::uint32_t since = 0;  // start_ then; 0: none
    Id id = kNone;
    std::uint32_t thread = 0;
    bool operator==(const Order&) const = default;
  };
  static std::size_t place(Id id, std::uint32_t thread) { return (id * 31 + thread) % kSteps; }
  Id add(Id id, const Footprint& reader);
  /// Removes the sets that belong to no granule; returns the new number of `id`.
  Id collect(Id id);

  static constexpr std::size_t kMostInAll = 1 << 18;  // readers
  static constexpr std::size_t kPatience = 1 << 16;   // refusals before it looks for room again
  static constexpr std::size_t kSteps = 1 << 10;

  std::vector<Id> ids_;               // by granule
  std::vector<Id> overwritten_;       // by granule
  std::vector<std::uint32_t> since_;  // by granule: start_ when it was put
  std::uint32_t start_ = 1;           // rises when all is forgotten
  std::vector<Set> sets_{1};
  std::vector<Footprint> pool_;  // the readers of all sets
  std::vector<Step> steps_;      // by a hash
  std::vector<Order> precede_;   // likewise
  std::size_t refusals_ = 0;     // to come without a look for room
};

}  // namespace tessera::sim
