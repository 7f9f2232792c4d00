// The state of a running launch: lanes, warps, blocks. One Worker (a host thread) runs one block at
// a time. Each of its other subjects has its own header: launch.h, frame.h, access_history.h,
// notes.h, counts.h, printed.h.
//
// Divergence. The lanes of a warp that run together form a split. A divergent branch makes two
// splits that share a Join, placed at the branch's immediate post-dominator; lanes that reach it
// park there until the others of the Join come or exit. Splits of a warp take turns, so lanes that
// wait for each other (locks, flags) make progress, as on GPUs since Volta.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/launch.h"
#include "grader/simulator/check/address_space.h"
#include "grader/simulator/exec/access_history.h"
#include "grader/simulator/exec/async_copies.h"
#include "grader/simulator/exec/async_products.h"
#include "grader/simulator/exec/counts.h"
#include "grader/simulator/exec/frame.h"
#include "grader/simulator/exec/heap.h"
#include "grader/simulator/exec/launch.h"
#include "grader/simulator/exec/matrix_pieces.h"
#include "grader/simulator/exec/mbarriers.h"
#include "grader/simulator/exec/notes.h"
#include "grader/simulator/exec/pattern.h"
#include "grader/simulator/exec/prepared_fragments.h"
#include "grader/simulator/exec/printed.h"
#include "grader/simulator/exec/program.h"
#include "grader/simulator/exec/repeated_loads.h"

namespace tessera::sim {

inline constexpr unsigned kBarriers = 16;
inline constexpr unsigned kPatternSlots = 16;
inline constexpr int kNoJoin = -1;
inline constexpr std::uint64_t kTimeSlice = 1 << 14;  // longest usual turn, in warp instructions
inline constexpr std::uint64_t kLeastLongTurn = 1 << 13;  // the shortest turn of Turns::falling
// Work other than instructions, in steps: see Worker::charge().
inline constexpr std::uint64_t kStepsOfWarp = 16;         // to start a warp
inline constexpr std::uint64_t kBytesOfStep = 256;        // filled or copied in one step
inline constexpr std::uint64_t kStepsOfNote = 16;         // to note a mistake
inline constexpr std::uint64_t kInstructionsOfStep = 64;  // that are looked at, not executed
inline constexpr std::uint64_t kFlagsOfStep = 4;          // MemoryOrder::work()
// How many steps a warp takes between two checks of the limits.
inline constexpr std::uint64_t kStepsBetweenLooks = 1 << 12;

struct Worker;
struct Block;
class SharedTape;
class Watcher;

struct Join {
  const Inst* at = nullptr;  // where lanes park
  Frame* frame = nullptr;    // the frame they continue in
  Mask expected = 0;         // lanes that have not exited
  Mask arrived = 0;
  int parent = kNoJoin;
  Frame* callee = nullptr;  // a call's join: the frame that ends with it
  bool used = false;
};

/// at_warp: lanes that run one by one wait at an instruction of the whole warp.
enum class SplitState : std::uint8_t { ready, at_barrier, at_collective, at_mbarrier, at_warp };

struct Split {
  const Inst* next = nullptr;  // of a waiting split: the instruction it waits in
  Mask mask = 0;
  Frame* frame = nullptr;
  int join = kNoJoin;
  SplitState state = SplitState::ready;
  const Inst* from = nullptr;  // Warp::branch
  std::uint32_t barrier = 0;   // at_barrier
  Mask members = 0;            // at_collective: the lanes that the instruction names
};

/// What the lanes of a warp-wide instruction give to each other.
struct Exchange {
  std::array<std::uint64_t, kLanes> value{};
  Mask predicate = 0;
  Mask lanes = 0;  // those that take part
};

/// A warp-wide instruction (shfl, vote, match, redux, bar.warp.sync): it waits for the lanes that
/// it names, which first publish their operands and then compute from those of all.
struct Collective {
  void (*publish)(Warp&, const Inst*, Mask, Exchange&);
  void (*compute)(Warp&, const Inst*, Mask, const Exchange&);
};

struct Warp {
  const std::byte* base[2] = {
      nullptr, nullptr};  // registers of the running frame, constants of its function
  Mask* predicates = nullptr;
  Mask active = 0;  // lanes of the running split; set_active() changes and counts them
  Mask all = 0;     // lanes that exist
  Mask live = 0;    // lanes that have not exited
  Frame* frame = nullptr;
  int join = kNoJoin;
  Worker* worker = nullptr;
  Block* block = nullptr;
  const Inst* code = nullptr;    // of the running function
  std::uint64_t steps = 0;       // warp instructions so far
  std::uint64_t lane_steps = 0;  // instructions of its lanes, up to the step active_since
  std::uint64_t active_since = 0;
  std::uint64_t slice_start = 0;     // steps when its turn began
  std::uint64_t patience_start = 0;  // steps when parked lanes last went on alone
  std::uint64_t held_at = 0;         // steps when a warp of its block was last held
  std::uint64_t asleep_until = 0;    // Block::time before which it gets no turn
  WarpWork work;                     // so far; its instructions are only known when it ends
  std::uint64_t settled = 0;         // those of its steps that Launch::spent includes
  std::uint64_t next_look = 0;       // steps at which the limits are checked again
  std::uint32_t sync_count = 0;      // rises at every barrier, warp-wide instruction and
                                     // fence.proxy.async
  std::uint32_t full_sync = 0;       // sync count when all lanes last met
  std::uint64_t full_sync_time = 0;  // steps at that moment
  /// known[known_row[lane]] says which lanes that lane has met, and when. Lanes that met last share
  /// a row. Empty as long as every meeting was one of all lanes.
  std::vector<LaneCounts> known;
  std::array<std::uint8_t, kLanes> known_row{};
  const Inst* branch = nullptr;  // the last conditional one; nullptr: none since it last waited
  /// By lane that has ended: `branch` then.
  std::array<const Inst*, kLanes> left_from{};
  std::array<std::uint32_t, kLanes> ended_in{};  // epoch in which each of those lanes ended
  /// Lanes that have come to each barrier with a number of threads since it was last complete.
  std::array<Mask, kBarriers> arrived_at{};
  FailedWaits failed_waits;  // at mbarriers
  bool answered = false;     // the next one does not wait: see answer_waits()
  Mask carry = 0;            // CC.CF of each lane
  unsigned index = 0;        // in the block
  std::array<std::array<std::uint32_t, kLanes>, 3> thread{};  // threadIdx.x, .y, .z of each lane
  std::array<Pattern, kPatternSlots> patterns;
  AsyncCopies copies;
  AsyncProducts products;
  Frame root;
  std::vector<Split> splits;  // those not running
  std::vector<Join> joins;
  std::vector<std::byte> local;             // stacks, lane after lane
  std::vector<std::uint8_t> local_written;  // of each byte of `local`, whether it holds a value
  std::uint64_t local_stride = 0;

  /// These lanes run the next instructions.
  void set_active(Mask lanes);
  /// Makes a frame the running one.
  void activate(Frame* to);
  /// Raises the sync count.
  void count_sync();
  /// The same where no lanes meet: what they do next differs from what they have done.
  void count_without_meeting();
  /// Notes that these lanes have met.
  void meet(Mask lanes);
  /// Which lanes this lane has met, and when; nullptr as long as every meeting was one of all
  /// lanes.
  const LaneCounts* known_of(unsigned lane) const {
    return known.empty() ? nullptr : &known[known_row[lane]];
  }
  /// Whether the thread of the access `before` (a Who of this warp) has met `lane` since, itself or
  /// through others.
  bool met(std::uint32_t before, unsigned lane) const;
  /// Only the lanes of `mask` go on running; the others, which the guard of `inst` held back, go on
  /// behind it later.
  void leave_others(const Inst* inst, Mask mask);
  /// Puts the running split aside.
  void park(const Inst* next, SplitState state);
  bool ready() const;

  template <class T>
  T* reg(Ref ref) {
    return reinterpret_cast<T*>(const_cast<std::byte*>(base[ref.bank]) + ref.offset);
  }
};

struct Barrier {
  std::uint32_t arrived = 0;   // threads
  std::uint32_t expected = 0;  // 0: all live threads of the block
  std::uint32_t votes = 0;     // bar.red: threads whose predicate was true
  bool all_wait = true;        // so far: no thread has arrived without waiting
};

struct Block {
  Dim3 id;
  std::uint64_t index = 0;  // linear
  std::vector<Warp> warps;
  std::array<Barrier, kBarriers> barriers;
  std::vector<Warpgroup> warpgroups;  // that have multiplied
  std::uint32_t live_threads = 0;
  std::uint32_t threads = 0;
  std::uint32_t copies = 0;         // of its lanes, on their way
  std::uint32_t copy_arrivals = 0;  // of its lanes at mbarriers, on their way
  std::uint32_t answers = 0;        // to its waits at mbarriers, since the last arrival
  std::uint64_t patience = kPatience;
  bool patience_ended = false;   // lanes that waited at a join have gone on alone
  std::uint64_t turns = 0;       // how many turns were drawn
  std::uint64_t time = 0;        // in steps: warps that take turns one after the other share it
  std::uint64_t drawn_turn = 0;  // length of the running turn: instructions, or accesses that talk
  Warp* held = nullptr;          // Turns::drawn: gets no turn for the time being
  std::uint32_t held_in = 0;     // the epoch in which a warp was held last
  /// A divergent barrier was found: races from here on are its consequences.
  bool diverged = false;
  /// By the branch at which a thread left and the barrier that it misses: whether it returned
  /// early.
  std::map<std::pair<const Inst*, const Inst*>, bool> early_returns;
};

/// Thrown inside a worker to leave a block that cannot go on; the finding has been noted.
struct BlockStopped {
  bool unsupported = false;
};

/// The part of a launch that one host thread runs, or with Turns::blocks the part of one block.
struct Worker {
  const Launch* launch = nullptr;
  Block block;
  std::vector<std::byte> shared;  // the block's shared memory, from launch->shared_low
  std::vector<Site> sites;        // by Inst::site
  AccessHistory history;
  Heap* heap = nullptr;
  std::span<Worker> of_its_thread;  // the workers of its host thread, itself among them
  Notes notes;
  WarpCounts counts;
  std::uint64_t charges = 0;  // steps that Launch::spent does not include yet
  CallFrames frames;
  PreparedFragments<TensorRows, kRegistersOfA> fragments_of_a;
  PreparedFragments<TensorColumns, kRegistersOfB> fragments_of_b;
  SharedMatrices matrices;
  Printed printed;
  Watcher* watcher = nullptr;             // only of blocks that run to be watched
  bool checks_shared = true;              // the order of accesses to shared memory
  SharedTape* tape = nullptr;             // only if RunRequest::shared_readers is set
  std::optional<RepeatedLoads> repeated;  // likewise

  void run_block(std::uint64_t index);
  void start_block(std::uint64_t index);
  /// Gives each warp of the block a turn. Returns false if all threads have exited.
  bool take_turns();
  void end_block();
  /// Ends an epoch, at a barrier of the block or at the end of the block.
  void end_epoch();

  /// Counts work other than instructions, for launch_step_limit.
  void charge(std::uint64_t steps) { charges += steps; }
  void charge_bytes(std::uint64_t bytes) { charge(bytes / kBytesOfStep); }

  /// The note with that key; `fresh` if the caller must fill it.
  FindingNote& note_for(const FindingKey& key, bool& fresh) {
    charge(kStepsOfNote);
    return notes.note_for(key, block.index, fresh);
  }
  /// Adds to the count of the note with that key; `describe` fills a new one.
  template <class Describe>
  void note(const FindingKey& key, std::uint64_t count, Describe describe) {
    bool fresh = false;
    FindingNote& entry = note_for(key, fresh);
    entry.count += count;
    if (fresh) describe(entry);
  }
};

/// Sees every instruction of a block.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Called before the instruction runs.
  virtual void step(Warp& warp, const Inst* inst, Mask mask) = 0;
  /// Called when a lane arrives at an mbarrier, or lanes at a barrier with a number of threads.
  /// `phase` stands for the mbarrier and the parity of its phase, or for the barrier, here and
  /// below.
  virtual void lane_arrives(Warp& /*warp*/, std::uint64_t /*phase*/) {}
  /// Called when a lane's copies arrive there, those of which it had begun fewer than `begun`
  /// before: as late as they can, when a wait for the phase is about to end.
  virtual void copies_arrive(Warp& /*warp*/, std::uint32_t /*begun*/, std::uint64_t /*phase*/) {}
  /// Called when the wait of a lane, or of lanes, for the phase ends.
  virtual void wait_ends(Warp& /*warp*/, std::uint64_t /*phase*/) {}
  /// Whether it needs to know how long each instruction takes.
  virtual bool measures_time() const { return false; }
};

// ---- lanes

template <class T>
inline void blend(T* to, const T* from, Mask mask) {
#pragma GCC ivdep
  for (unsigned lane = 0; lane < kLanes; ++lane)
    to[lane] = (mask >> lane) & 1 ? from[lane] : to[lane];
}

/// Stores f(lane) in every lane of `mask`.
template <class T, class F>
inline void write_lanes(Warp& warp, Ref dst, Mask mask, F f) {
  T* to = warp.reg<T>(dst);
  if (mask == warp.live) {
#pragma GCC ivdep
    for (unsigned lane = 0; lane < kLanes; ++lane) to[lane] = f(lane);
  } else {
    alignas(64) T result[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) result[lane] = f(lane);
    blend(to, result, mask);
  }
}

inline void write_predicate(Warp& warp, std::uint32_t index, Mask mask, Mask value) {
  warp.predicates[index] = (warp.predicates[index] & ~mask) | (value & mask);
}

/// "(3, 0, 0)" of the thread in that lane.
Dim3 thread_of(const Warp& warp, unsigned lane);
/// blockIdx of the block with this linear number.
Dim3 block_id(std::uint64_t index, Dim3 grid);
std::string to_string(Dim3 id);
/// "0x7f00", as findings show an address.
Detail hexadecimal(std::uint64_t address);
/// Names that thread and its block as the example of a finding.
void name_thread(FindingNote& note, const Warp& warp, unsigned lane);

}  // namespace tessera::sim
