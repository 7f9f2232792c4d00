// The last accesses of each word of shared memory, from which `race` and `uninitialized-read` are
// found.
//
// An epoch is the part of a block's run between two barriers. Epochs rise through all blocks that
// one worker runs, so nothing has to be cleared. Two accesses to one word race if different threads
// made them, at least one writes, and no barrier lies between: they have the same epoch in
// different warps, or the same sync count (which __syncwarp and the *_sync functions raise) in one
// warp.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "grader/simulator/check/lanes.h"

namespace tessera::sim {

/// Who made an access, in 32 bits: the thread's number in its block, flags, and the low bits of its
/// warp's sync count at that moment.
struct Who {
  static constexpr std::uint32_t kThread = 0x3ff;
  static constexpr std::uint32_t kWarp = 0x3e0;             // of the thread's number
  static constexpr std::uint32_t kSeveralLanes = 1u << 10;  // reads: other lanes of the warp too
  static constexpr std::uint32_t kSeveralWarps = 1u << 11;  // reads: other warps too
  static constexpr std::uint32_t kAtomic = 1u << 12;  // atom, red, ld.relaxed, st.release, ...
  static constexpr std::uint32_t kVolatile = 1u << 13;
  static constexpr std::uint32_t kBlockScope = 1u << 14;  // atomic for its block alone
  static constexpr unsigned kSyncShift = 15;
  static constexpr std::uint32_t kSync = ~((1u << kSyncShift) - 1);

  static std::uint32_t thread(std::uint32_t who) { return who & kThread; }
  static std::uint32_t warp(std::uint32_t who) { return (who & kWarp) >> 5; }
  /// Returns the full sync count of an access, of which `who` has the low bits; its warp's count is
  /// now `now`.
  static std::uint32_t synced(std::uint32_t who, std::uint32_t now) {
    constexpr std::uint32_t kKept = kSync >> kSyncShift;
    return now - ((now - (who >> kSyncShift)) & kKept);
  }
  static std::uint32_t make(std::uint32_t thread, std::uint32_t sync_count) {
    return thread | sync_count << kSyncShift;
  }

  /// Returns `who` with a sync count that is not mistaken for a later one when the kept bits wrap,
  /// after 131,072 syncs. The caller replaces `who` by it whenever the warp's count is a multiple
  /// of kAgeing.
  static std::uint32_t aged(std::uint32_t who, std::uint32_t now) {
    constexpr std::uint32_t kOld = 2 * kAgeing;
    return now - synced(who, now) > kOld ? make(who & ~kSync, now - kOld) : who;
  }
  static constexpr std::uint32_t kAgeing = 1u << 15;

  /// Whether the access is strong: other threads may make strong accesses at the same time.
  static bool strong(std::uint32_t who) { return (who & (kAtomic | kVolatile)) != 0; }

  /// Whether two accesses of different warps may meet in one word without a race.
  static bool talk(std::uint32_t a, std::uint32_t b) { return strong(a) && strong(b); }

  /// The same access as a plain one.
  static std::uint32_t plain(std::uint32_t who) { return who & ~(kAtomic | kVolatile); }

  /// Whether nothing orders `now` after `before`, an access of the same block and epoch. Volatile
  /// accesses order nothing between the lanes of a warp.
  static bool unordered(std::uint32_t before, std::uint32_t now);

  /// Returns the readers of a word, so far `before`, after `now` reads it too. `together`: both are
  /// in the same epoch.
  static std::uint32_t merged(std::uint32_t before, std::uint32_t now, bool together);
};

/// For one lane of a warp, a sync count for each lane: accesses that the other lane made at a lower
/// count are ordered before this lane's next access.
using LaneCounts = std::array<std::uint32_t, kLanes>;

/// Whether `counts` cover an access by `who`, of the same warp. `sync_count` is the warp's count at
/// the moment of `counts`; `who` has only the low bits of its own.
bool covers(const LaneCounts& counts, std::uint32_t sync_count, std::uint32_t who);

/// The moment of an access.
struct Now {
  std::uint32_t epoch = 0;
  std::uint32_t first_epoch = 0;  // of the running block
};

/// Whether `kCount` values, a multiple of 8, equal `value`. Compilers unroll the plain loop before
/// they can vectorise it.
template <unsigned kCount>
bool all_are(const std::uint32_t* values, std::uint32_t value) {
  using Vector [[gnu::vector_size(32)]] = std::uint32_t;
  Vector different{};
  for (unsigned i = 0; i < kCount; i += 8) {
    Vector part;
    std::memcpy(&part, values + i, sizeof part);
    different |= part ^ value;
  }
  std::uint64_t halves[4];
  std::memcpy(halves, &different, sizeof halves);
  return (halves[0] | halves[1] | halves[2] | halves[3]) == 0;
}

/// The last write of each granule, and its readers since. A granule is 4 bytes, or 1 if the kernel
/// makes narrower accesses.
class Shadow {
 public:
  struct Column {
    std::vector<std::uint32_t> epoch;  // 0: never
    std::vector<std::uint32_t> who;
    std::vector<std::uint32_t> site;  // memory instruction
    std::vector<std::uint64_t> time;  // Moment::time; empty if times are not kept
  };

  /// Makes room for `bytes` bytes in granules of 1 or 4. `with_times`: record_read() and
  /// record_write() keep the time.
  void resize(std::uint64_t bytes, unsigned granule_bytes, bool with_times);

  unsigned granule_bytes() const { return 1u << shift_; }

  /// The granule that holds byte `offset`.
  std::size_t granule(std::uint64_t offset) const {
    return static_cast<std::size_t>(offset >> shift_);
  }

  /// Records that `kCount` (8, 16 or 32) lanes read one granule each, from `first` on; the first
  /// lane is `who`, the next is who + 1. Returns false, and records nothing, if a granule needs a
  /// closer look: this block has not written it, or a thread wrote it in this epoch.
  template <unsigned kCount>
  bool read_run(std::size_t first, std::uint32_t who, const Now& now, std::uint32_t site) {
    return all_are<kCount>(&settled_[first], now.epoch) ||
           read_lanes<kCount>(first, who, 1, now, site);
  }

  /// Does the same if all lanes read the granule `at`.
  bool read_broadcast(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site) {
    if (settled_[at] == now.epoch) return true;
    const std::uint32_t written = writes.epoch[at];
    if (written < now.first_epoch || written == now.epoch) return false;
    if (reads.epoch[at] == now.epoch || !reads.time.empty()) {
      record_read(at, Who::kSeveralLanes | who, now, site, 0);
    } else {  // the first read of the epoch, the usual case: there is nothing to merge
      reads.epoch[at] = now.epoch;
      reads.who[at] = Who::kSeveralLanes | who;
      reads.site[at] = site;
    }
    return true;
  }

  /// Does the same for writes; returns false if a granule was read or written in this epoch,
  /// or a copy into it is on its way.
  template <unsigned kCount>
  bool write_run(std::size_t first, std::uint32_t who, const Now& now, std::uint32_t site);

  /// Does the same if one lane reads or writes `count` granules; or, for reads, several lanes, and
  /// `who` says so. Before it returns false, read_words() may record reads of some of the granules.
  bool read_words(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                  std::uint32_t site) {
    std::uint32_t different = 0;
    for (std::size_t at = first; at < first + count; ++at) different |= settled_[at] ^ now.epoch;
    return different == 0 || read_unsettled(first, count, who, now, site);
  }
  bool write_words(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                   std::uint32_t site);

  /// Does the same for a copy into `count` granules: when it begins, and is on its way from then
  /// on, and when it arrives.
  bool copy_begins(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                   std::uint32_t site, std::uint64_t time);
  bool copy_arrives(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                    std::uint32_t site, std::uint64_t time);

  void record_read(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site,
                   std::uint64_t time);
  /// Forgets the granule's readers: all of them are ordered before what follows.
  void forget_read(std::size_t at) { reads.epoch[at] = settled_[at] = 0; }

  void record_write(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site,
                    std::uint64_t time);

  /// The epoch of a write that is on its way: of an asynchronous copy that has begun and has not
  /// arrived. It is no epoch of a block.
  static constexpr std::uint32_t kOnTheWay = 1;
  bool on_the_way(std::size_t at) const { return writes.epoch[at] == kOnTheWay; }
  /// Forgets all writes that are on their way.
  void forget_copies();

  /// Whether the same thread wrote both granules last, in the same epoch.
  bool written_together(std::size_t a, std::size_t b) const {
    return writes.epoch[a] == writes.epoch[b] && writes.who[a] == writes.who[b];
  }
  /// Whether all `count` granules were written before that epoch, and no copy is on its way.
  bool written_before(std::size_t first, std::size_t count, std::uint32_t epoch) const;
  /// Whether the running block wrote the granule.
  bool written(std::size_t at, const Now& now) const { return writes.epoch[at] >= now.first_epoch; }

  Column writes;
  Column reads;

 private:
  /// `step` is added to `who` from granule to granule: 1 if each belongs to a lane of its own.
  template <unsigned kCount>
  bool read_lanes(std::size_t first, std::uint32_t who, std::uint32_t step, const Now& now,
                  std::uint32_t site);
  bool read_unsettled(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                      std::uint32_t site);
  template <unsigned kCount>
  bool copy_lanes(std::size_t first, std::uint32_t who, const Now& now, std::uint32_t written_in,
                  std::uint32_t site, std::uint64_t time);
  bool copy_words(std::size_t first, unsigned count, std::uint32_t who, const Now& now,
                  std::uint32_t written_in, std::uint32_t site, std::uint64_t time);
  unsigned shift_ = 2;
  /// The epoch in which several warps have read the granule without a race: another read in it adds
  /// nothing.
  std::vector<std::uint32_t> settled_;
};

}  // namespace tessera::sim
