// Copies from global to shared memory that travel while their threads go on: cp.async (PTX ISA,
// "Data Movement and Conversion Instructions: Asynchronous copy").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grader/simulator/check/lanes.h"
#include "grader/simulator/check/memory.h"
#include "grader/simulator/exec/program.h"

namespace tessera::sim {

struct Worker;

inline constexpr unsigned kWidestCopy = 16;  // bytes of a lane

/// What one lane copies, and where from.
struct CopiedBytes {
  std::array<std::byte, kWidestCopy> bytes{};  // zeros beyond what the source has
  std::uint64_t source = 0;
  std::uint8_t from_source = 0;  // how many of the bytes
  bool may_change = false;       // the launch may store into the source
};

/// A lane's copy for which the lane has not waited yet.
struct AsyncCopy {
  CopiedBytes data;
  std::uint64_t target = 0;  // in the shared window
  std::uint32_t site = 0;    // of the instruction that began it
  std::uint32_t epoch = 0;   // in which it began
  std::uint32_t who = 0;     // that began it: a Who
  std::uint32_t group = 0;   // which of its lane's groups it belongs to
  std::uint32_t number = 0;  // copies of its lane before it
  std::uint8_t bytes = 0;
};

/// A lane's arrival at an mbarrier, which comes when its copies so far have arrived.
struct CopyArrival {
  static constexpr std::size_t kMost = 1024;  // of a lane, on their way

  std::uint64_t mbarrier = 0;  // its address in the shared window
  std::uint32_t begun = 0;     // copies that the lane had begun
  const Inst* inst = nullptr;  // cp.async.mbarrier.arrive
  std::uint64_t steps = 0;     // of the warp, when it was executed
  std::uint32_t sync_count = 0;
};

/// The copies of one lane, which arrive in their order.
struct LaneCopies {
  std::vector<AsyncCopy> all;         // the oldest first
  std::size_t arrived = 0;            // the first so many have arrived
  std::uint32_t begun = 0;            // copies so far
  std::uint32_t groups = 0;           // committed so far
  std::vector<CopyArrival> arrivals;  // on their way
  /// The last wait that let copies travel on.
  struct Wait {
    std::uint32_t site = kNoSite;
    std::uint32_t count = 0;  // groups that might travel on
    std::uint32_t begun = 0;  // copies, and groups, by then
    std::uint32_t groups = 0;
  } wait;

  std::span<const AsyncCopy> on_the_way() const { return std::span(all).subspan(arrived); }

  /// Gives memory back that a kernel has used once, lane after lane.
  void shrink() {
    constexpr std::size_t kKept = 256;  // copies
    if (all.capacity() > kKept && 4 * all.size() < all.capacity()) all.shrink_to_fit();
  }
};

/// The copies of one warp.
struct AsyncCopies {
  /// Copies of a block's lanes that may be on their way at a time: those of 4 bytes fill the
  /// largest shared memory. The hardware has no such limit.
  static constexpr std::uint32_t kMost = 1 << 16;

  std::array<LaneCopies, kLanes> lanes;
  bool used = false;                         // since clear(); most kernels copy nothing
  std::uint32_t waited_in = 0;               // epoch of the warp's last wait
  std::array<CopiedBytes, kLanes> loaded{};  // by an instruction that has not yet begun to copy

  void clear() {
    if (!std::exchange(used, false)) return;
    for (LaneCopies& lane : lanes) {
      std::vector<AsyncCopy> room = std::move(lane.all);
      room.clear();
      lane = {};
      lane.all = std::move(room);
      lane.shrink();
    }
    waited_in = 0;
  }
};

/// Inst::flags of load_for_copy and wait_for_copies, in addition to MemoryFlags::kWideBase.
struct CopyFlags {
  /// load_for_copy: Inst::c holds how many bytes come from the source; the others are zeros.
  static constexpr std::uint32_t kPartly = 2;
  /// wait_for_copies: copies that belong to no group yet form one first.
  static constexpr std::uint32_t kAll = 2;
};

/// The first half of a copy: reads the source (Inst::a, `offset`), `size` bytes a lane.
const Inst* load_for_copy(Warp& warp, const Inst* inst, Mask mask);

/// Returns the wavefronts of shared memory in which the lanes' copies arrive, whose sources have
/// been loaded and whose targets Inst::a and `offset` give. One cache line of the sources comes
/// after the other, each in a wavefront of its own; a wavefront writes one word to each bank.
/// Measured on an H200.
unsigned copy_wavefronts(Warp& warp, const Inst* inst, Mask mask);

/// The second half: the copy into the target (Inst::a, `offset`) is on its way.
const Inst* begin_copy(Warp& warp, const Inst* inst, Mask mask);

/// cp.async.commit_group: a lane's copies that belong to no group yet form one.
const Inst* commit_copies(Warp& warp, const Inst* inst, Mask mask);

/// cp.async.wait_group and wait_all: all groups of a lane but its last Inst::count ones arrive.
const Inst* wait_for_copies(Warp& warp, const Inst* inst, Mask mask);

/// The lane's copies arrive of which it had begun fewer than `begun` before.
void complete_copies(Warp& warp, const Inst* inst, unsigned lane, std::uint32_t begun);

/// Whether a PTX instruction of asynchronous copies ends with this Inst.
inline bool is_copy(const Inst* inst) {
  return inst->run == begin_copy || inst->run == commit_copies || inst->run == wait_for_copies;
}

/// The copy of that thread of the running block into the byte at `address` of shared memory that
/// began last and is still on its way; nullptr if there is none.
const AsyncCopy* copy_on_the_way(Worker& worker, std::uint32_t thread, std::uint64_t address);

/// Notes which copies of the block's threads are still on their way, as the block has ended.
void note_copies_never_waited_for(Worker& worker);

}  // namespace tessera::sim
