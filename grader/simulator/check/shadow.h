// What the simulator knows about who touched which word: the basis of `race` and
// `uninitialized-read`.
//
// An epoch is a stretch of a block's run between two barriers; epochs rise through all blocks that
// one worker runs, so nothing is cleared. Two accesses of one word clash where at least one writes,
// other threads made them, and no barrier lies between: same epoch in different warps; inside one
// warp, same sync count (which __syncwarp and the *_sync functions raise).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "grader/simulator/check/lanes.h"

namespace tessera::sim {

/// Who made an access, in 32 bits: the thread's number in its block, marks, and the low bits of its
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
  /// The sync count of an access, of which `who` has the low bits, where its warp now counts `now`.
  static std::uint32_t synced(std::uint32_t who, std::uint32_t now) {
    constexpr std::uint32_t kKept = kSync >> kSyncShift;
    return now - ((now - (who >> kSyncShift)) & kKept);
  }
  static std::uint32_t make(std::uint32_t thread, std::uint32_t sync_count) {
    return thread | sync_count << kSyncShift;
  }

  /// The bits of `who` come again after 131,072 syncs. Whoever replaces it by this whenever its
  /// warp counts a multiple of kAgeing never takes it for a later one.
  static std::uint32_t aged(std::uint32_t who, std::uint32_t now) {
    constexpr std::uint32_t kOld = 2 * kAgeing;
    return now - synced(who, now) > kOld ? make(who & ~kSync, now - kOld) : who;
  }
  static constexpr std::uint32_t kAgeing = 1u << 15;

  /// Whether others may make strong accesses at the same time as this one.
  static bool strong(std::uint32_t who) { return (who & (kAtomic | kVolatile)) != 0; }

  /// Whether two accesses of different warps may meet in one word.
  static bool talk(std::uint32_t a, std::uint32_t b) { return strong(a) && strong(b); }

  /// The same access as a plain one.
  static std::uint32_t plain(std::uint32_t who) { return who & ~(kAtomic | kVolatile); }

  /// Whether `now` is unordered with `before`, of the same block and epoch. Volatile accesses order
  /// nothing between the lanes of a warp.
  static bool unordered(std::uint32_t before, std::uint32_t now);

  /// Who has read a word after `now` reads it too; `together`: in the same epoch as `before`.
  static std::uint32_t merged(std::uint32_t before, std::uint32_t now, bool together);
};

/// What one lane of a warp knows of each lane: what that one did before its warp's sync count was
/// this lies before what the lane does next.
using LaneCounts = std::array<std::uint32_t, kLanes>;

/// Whether `counts` cover an access by `who`, of the same warp. `sync_count` is the warp's at the
/// moment of `counts`, of which a Who has the low bits alone.
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

/// The last write and the readers since, of each granule (4 bytes, or 1 where a kernel makes
/// narrower accesses).
class Shadow {
 public:
  struct Column {
    std::vector<std::uint32_t> epoch;  // 0: never
    std::vector<std::uint32_t> who;
    std::vector<std::uint32_t> site;  // memory instruction
    std::vector<std::uint64_t> time;  // Moment::time; empty where nobody asks for it
  };

  /// Room for `bytes` bytes in granules of 1 or 4. Only single accesses keep their time.
  void resize(std::uint64_t bytes, unsigned granule_bytes, bool with_times);

  unsigned granule_bytes() const { return 1u << shift_; }

  /// The granule that holds byte `offset`.
  std::size_t granule(std::uint64_t offset) const {
    return static_cast<std::size_t>(offset >> shift_);
  }

  /// Records that `kCount` (8, 16 or 32) lanes read one granule each, from `first` on; the first
  /// lane is `who`, the next is who + 1. False, with nothing recorded, where one needs a closer
  /// look: not written in this block, or in this epoch by another thread.
  template <unsigned kCount>
  bool read_run(std::size_t first, std::uint32_t who, const Now& now, std::uint32_t site) {
    return all_are<kCount>(&settled_[first], now.epoch) ||
           read_lanes<kCount>(first, who, now, site);
  }

  /// The same where all the lanes read the granule `at`.
  bool read_broadcast(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site) {
    if (settled_[at] == now.epoch) return true;
    const std::uint32_t written = writes.epoch[at];
    if (written < now.first_epoch || written == now.epoch) return false;
    if (reads.epoch[at] == now.epoch || !reads.time.empty()) {
      record_read(at, Who::kSeveralLanes | who, now, site, 0);
    } else {  // the first read of the epoch, as most are: there is nothing to merge
      reads.epoch[at] = now.epoch;
      reads.who[at] = Who::kSeveralLanes | who;
      reads.site[at] = site;
    }
    return true;
  }

  /// The same for writes; false where another thread read or wrote a granule in this epoch.
  template <unsigned kCount>
  bool write_run(std::size_t first, std::uint32_t who, const Now& now, std::uint32_t site);

  void record_read(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site,
                   std::uint64_t time);
  /// Readers so far are ordered before all that follows.
  void forget_read(std::size_t at) { reads.epoch[at] = settled_[at] = 0; }

  void record_write(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site,
                    std::uint64_t time);

  /// Whether the running block wrote the granule.
  bool written(std::size_t at, const Now& now) const { return writes.epoch[at] >= now.first_epoch; }

  Column writes;
  Column reads;

 private:
  template <unsigned kCount>
  bool read_lanes(std::size_t first, std::uint32_t who, const Now& now, std::uint32_t site);
  unsigned shift_ = 2;
  /// The epoch in which several warps have read the granule and all was in order: another read
  /// tells nothing new.
  std::vector<std::uint32_t> settled_;
};

}  // namespace tessera::sim
