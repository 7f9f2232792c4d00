// What the simulator knows about who touched which word: the basis of `race` and
// `uninitialized-read`.
//
// An epoch is a stretch of a block's run between two barriers; epochs rise through all blocks that
// one worker runs, so nothing is cleared. Two accesses of one word clash where at least one writes,
// other threads made them, and no barrier lies between: same epoch in different warps; inside one
// warp, same sync count (which __syncwarp and the *_sync functions raise). In global memory
// accesses of different blocks always clash, unless both are atomic or a fence and an atomic pass
// the word on.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/simulator/program.h"

namespace tessera::sim {

/// Who made an access: the thread's number in its block; for reads also "several lanes of one warp"
/// and "several warps".
struct Who {
  static constexpr std::uint32_t kSeveralLanes = 1u << 10;
  static constexpr std::uint32_t kSeveralWarps = 1u << 11;
  static constexpr std::uint32_t kAtomic =
      1u << 12;  // atom, red, volatile: never clash with each other

  static std::uint32_t thread(std::uint32_t who) { return who & 1023; }
  static std::uint32_t warp(std::uint32_t who) { return (who >> 5) & 31; }
};

/// The moment of an access.
struct Now {
  std::uint32_t epoch = 0;
  std::uint32_t first_epoch = 0;  // of the running block
  std::uint32_t sync = 0;         // the warp's sync count
};

/// The last write and the readers since, of each granule (4 bytes, or 1 where a kernel makes
/// narrower accesses).
class Shadow {
 public:
  struct Column {
    std::vector<std::uint32_t> epoch;  // 0: never
    std::vector<std::uint32_t> sync;
    std::vector<std::uint32_t> who;
    std::vector<std::uint32_t> site;  // memory instruction
  };

  /// Room for `bytes` bytes.
  void resize(std::uint64_t bytes, unsigned granule_bytes);

  unsigned granule_bytes() const { return granule_; }

  /// Whether `count` granules from `first`, one a lane from `thread` on, can be read with no
  /// question: written in this block, and not in this epoch by another thread. Records the reads
  /// where so.
  bool read_run(std::size_t first, unsigned count, std::uint32_t thread, const Now& now,
                std::uint32_t site);

  /// The same where all lanes of `count` from `thread` on read the granule `at`.
  bool read_broadcast(std::size_t at, unsigned count, std::uint32_t thread, const Now& now,
                      std::uint32_t site);

  /// The same for writes: nobody else read or wrote them in this epoch. Records the writes where
  /// so.
  bool write_run(std::size_t first, unsigned count, std::uint32_t thread, const Now& now,
                 std::uint32_t site);

  /// Whether an earlier access by somebody else is not ordered before this one; in which epochs
  /// count as concurrent when `across_blocks`, see above.
  bool write_clashes(std::size_t at, std::uint32_t who, const Now& now, bool across_blocks) const;
  bool read_clashes(std::size_t at, std::uint32_t who, const Now& now, bool across_blocks) const;

  void record_read(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site);
  void record_write(std::size_t at, std::uint32_t who, const Now& now, std::uint32_t site);

  /// Whether the running block (or, across blocks, anyone in this launch) wrote the granule.
  bool written(std::size_t at, const Now& now, bool across_blocks) const {
    return across_blocks ? writes.epoch[at] != 0 : writes.epoch[at] >= now.first_epoch;
  }

  Column writes;
  Column reads;

 private:
  unsigned granule_ = 4;
};

}  // namespace tessera::sim
