// The state of a running launch: lanes, warps, blocks. One Worker (a host thread) runs one block at
// a time.
//
// Divergence. The lanes of a warp that run together form a split. A divergent branch makes two
// splits that share a Join, placed at the branch's immediate post-dominator; lanes that reach it
// park there until the others of the Join come or exit. Splits of a warp take turns, so lanes that
// wait for each other (locks, flags) make progress, as they do since Volta.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch.h"
#include "common/line_profile.h"
#include "grader/simulator/check/address_space.h"
#include "grader/simulator/check/bounds_text.h"
#include "grader/simulator/check/memory.h"
#include "grader/simulator/check/race_text.h"
#include "grader/simulator/check/shadow.h"
#include "grader/simulator/check/trace.h"
#include "grader/simulator/exec/heap.h"
#include "grader/simulator/exec/program.h"
#include "grader/simulator/exec/repeated_loads.h"
#include "grader/simulator/exec/turns.h"

namespace tessera::sim {

inline constexpr unsigned kBarriers = 16;
inline constexpr unsigned kPatternSlots = 16;
inline constexpr int kNoJoin = -1;
inline constexpr std::uint64_t kTimeSlice = 1 << 14;  // warp instructions between turns
// Warp instructions until lanes parked at a join go on alone: a lock in the loop may need them.
// Each time it did, the block becomes less patient. See Launch::patience().
inline constexpr std::uint64_t kPatience = 1 << 17;
inline constexpr std::uint64_t kLeastPatience = 1 << 10;
inline constexpr std::uint64_t kLeastLongTurn = 1 << 13;   // of Turns::falling, however impatient
inline constexpr std::uint64_t kMaxLocalBytes = 64 << 10;  // a thread's stack
inline constexpr std::uint32_t kMaxCallDepth = 1024;
// A thread's stack where the driver cannot know how deep calls go (CUDA's default of
// cudaLimitStackSize).
inline constexpr std::uint64_t kRecursionBytes = 1024;
inline constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{512} << 20;  // of a host thread
// What costs more than an instruction counts as so many of them: see Worker::charge().
inline constexpr std::uint64_t kStepsOfWarp = 16;             // to start one
inline constexpr std::uint64_t kBytesOfStep = 256;            // that are filled or copied
inline constexpr std::uint64_t kStepsOfNote = 16;             // of an access, say
inline constexpr std::uint64_t kStepsBetweenLooks = 1 << 12;  // at the limits
inline constexpr std::size_t kMaxNotes = 4096;       // of a worker; more of them say nothing new
inline constexpr std::size_t kNotesOfEachKind = 16;  // have room, however many others there are

struct Worker;
struct Block;
class SharedTape;
class Watcher;

/// Registers and parameters of one call of a function, shared by the splits inside it.
struct Frame {
  const Function* function = nullptr;
  Frame* caller = nullptr;
  const Inst* call = nullptr;      // the call instruction in the caller
  std::vector<std::byte> storage;  // registers, 64-byte aligned inside
  std::byte* registers = nullptr;
  std::vector<Mask> predicates;
  std::vector<std::byte> parameters;  // parameter_bytes a lane, lane after lane
  std::uint64_t local_base = 0;       // of this call's .local variables in each thread's stack
  std::uint64_t saved_bytes = 0;  // at least, of each thread's stack: Function::least_frame_bytes
                                  // of all that wait for it
  std::uint32_t depth = 0;

  void enter(const Function& callee, Frame* from, const Inst* at, std::uint32_t poison);
  /// Where the .local variables of a function that it calls begin.
  std::uint64_t local_base_of(const Function& callee) const;
  /// What it has taken, and what it will take for that function at least.
  std::uint64_t bytes() const;
  static std::uint64_t bytes_of(const Function& callee);
  std::byte* parameter(unsigned lane, std::uint32_t offset) {
    return parameters.data() + std::size_t{lane} * function->parameter_bytes + offset;
  }
};

struct Join {
  const Inst* at = nullptr;  // where lanes park
  Frame* frame = nullptr;    // the frame they continue in
  Mask expected = 0;         // lanes that have not exited
  Mask arrived = 0;
  int parent = kNoJoin;
  Frame* callee = nullptr;  // a call's join: the frame that ends with it
  bool used = false;
};

enum class SplitState : std::uint8_t { ready, at_barrier, at_collective };

struct Split {
  const Inst* next = nullptr;  // of a waiting split: the instruction it waits in
  Mask mask = 0;
  Frame* frame = nullptr;
  int join = kNoJoin;
  SplitState state = SplitState::ready;
  const Inst* from = nullptr;  // the branch that led here
  std::uint32_t barrier = 0;   // at_barrier
  Mask members = 0;            // at_collective: the lanes that the instruction names
};

/// What the lanes of a warp-wide instruction show each other.
struct Exchange {
  std::array<std::uint64_t, kLanes> value{};
  Mask predicate = 0;
  Mask lanes = 0;  // who takes part
};

/// A warp-wide instruction (shfl, vote, match, redux, bar.warp.sync): it waits for the lanes it
/// names, which first publish what they bring and then compute from what all brought.
struct Collective {
  void (*publish)(Warp&, const Inst*, Mask, Exchange&);
  void (*compute)(Warp&, const Inst*, Mask, const Exchange&);
};

/// What an access of one kind (global or shared memory) cost.
struct AccessCount {
  std::uint64_t requests = 0;  // warp instructions with at least one lane
  std::uint64_t pieces = 0;    // sectors (global) or wavefronts (shared)
  std::uint64_t least = 0;     // the fewest that the lanes and their width need
  // The request that was farthest from it; the first where none was.
  std::uint32_t worst_excess = 0;
  std::uint64_t worst_block = 0;
  std::uint64_t worst_low = 0;   // of its lowest lane
  std::uint64_t worst_high = 0;  // of its highest
  AccessShape worst;             // `variable` and `row_bytes` are filled in at the end
};

/// The buffer or variable that held all lanes of an access: [low, high).
struct Region {
  std::uint64_t low = 1;
  std::uint64_t high = 0;
  std::byte* host = nullptr;  // byte at `low`
};

/// What one memory instruction remembers between executions, and what it counted. One a host
/// thread. A generic access has both regions, whose addresses mean different memory.
struct Site {
  Region global_region;
  Region shared_region;
  Allocation* allocation = nullptr;  // of global_region
  AccessCount global;
  AccessCount shared;
};

/// Sectors that an access of global memory touches, and the fewest that could hold its lanes.
struct SectorCount {
  std::uint8_t touched = 0;  // 0: not yet known
  std::uint8_t least = 0;
};

/// The base addresses of one access, looked at once and used by every access from the same base.
/// All but the addresses, `low` and `high` still holds where all lanes move by the same distance.
struct Pattern {
  alignas(64) std::array<std::uint64_t, kLanes> address;
  std::uint64_t low = 0;       // over active lanes
  std::uint64_t high = 0;      // highest lane's first byte
  std::uint64_t all_bits = 0;  // or of the active addresses: alignment
  Mask mask = 0;
  unsigned segment = 0;  // lanes in a regular piece: 32, 16, 8; 0: irregular
  std::uint32_t consecutive =
      0;  // bit s: segment s rises by `width` from lane to lane; else all its lanes are equal
  unsigned width = 0;       // bytes a lane
  unsigned wavefronts = 0;  // shared memory, for whole words; 0: not yet known
  std::array<SectorCount, kSectorBytes> sectors{};  // by where in a sector the lowest lane starts
};

inline constexpr std::uint32_t kNoSite = 0xffffffffu;

struct FindingKey {
  FindingKind kind = FindingKind::out_of_bounds;
  const Function* function = nullptr;
  std::uint32_t source = 0;            // index into the function's locations
  std::string subject;                 // variable or buffer
  std::uint32_t other = kNoSite;       // a race's other access: memory instruction
  RaceScope scope = RaceScope::block;  // of a race

  auto operator<=>(const FindingKey&) const = default;
};

/// A read of shared memory that nobody had written yet. It is reported once its epoch has ended:
/// where another thread writes the word later in the same epoch, the missing order is the cause,
/// and a race has been noted.
struct EarlyRead {
  std::size_t granule = 0;
  const Function* function = nullptr;
  std::uint32_t source = 0;
  const SharedVariable* variable = nullptr;
  std::uint64_t offset = 0;  // in the variable, in bytes
  Dim3 thread;
};

/// A finding as one host thread saw it; the launch merges them, the lowest block's example first.
struct FindingNote {
  FindingKey key;
  Severity severity = Severity::error;
  Text message;
  Text hint;
  std::uint64_t count = 0;
  std::uint64_t block = 0;  // where it was first seen
  std::vector<std::pair<std::string, std::string>> example;
  std::optional<Outside> outside;  // of an access beside an array: what decides the hint
  /// In place of message, hint and example. `second` is at key.source, `first` at key.other; their
  /// lines are not yet known.
  std::optional<Race> race;
};

struct Warp {
  const std::byte* base[2] = {
      nullptr, nullptr};  // registers of the running frame, constants of its function
  Mask* predicates = nullptr;
  Mask active = 0;  // lanes of the running split
  Mask all = 0;     // lanes that exist
  Mask live = 0;    // lanes that have not exited
  Frame* frame = nullptr;
  int join = kNoJoin;
  Worker* worker = nullptr;
  Block* block = nullptr;
  const Inst* code = nullptr;        // of the running function
  std::uint64_t steps = 0;           // warp instructions so far
  std::uint64_t slice_start = 0;     // steps when its turn began
  std::uint64_t patience_start = 0;  // steps when parked lanes were last let go
  std::uint64_t held_at = 0;         // steps when a warp of its block was last held
  std::uint64_t loaded_bytes = 0;    // that its lanes asked of global memory
  std::uint64_t settled = 0;         // steps that Launch::spent has
  std::uint64_t next_look = 0;       // steps at which the limits are looked at again
  std::uint32_t sync_count = 0;      // rises at every barrier and warp-wide instruction
  std::uint32_t full_sync = 0;       // sync count when all of them met last
  std::uint64_t full_sync_time = 0;  // steps then
  /// known[known_row[lane]] is what that lane knows. Lanes that met last have one row. Empty while
  /// only all of them have met.
  std::vector<LaneCounts> known;
  std::array<std::uint8_t, kLanes> known_row{};
  const Inst* jump_from = nullptr;  // the last branch, and where it led
  const Inst* jump_to = nullptr;
  /// The branch that led each lane that has ended straight to its end; nullptr where there was
  /// other work between.
  std::array<std::uint32_t, kLanes> ended_in{};  // epoch; of lanes that live nothing
  std::array<const Inst*, kLanes> left_from{};
  Mask carry = 0;                                             // CC.CF of each lane
  unsigned index = 0;                                         // in the block
  std::array<std::array<std::uint32_t, kLanes>, 3> thread{};  // threadIdx.x, .y, .z of each lane
  std::array<Pattern, kPatternSlots> patterns;
  Frame root;
  std::vector<Split> splits;  // those not running
  std::vector<Join> joins;
  std::vector<std::byte> local;             // stacks, lane after lane
  std::vector<std::uint8_t> local_written;  // of each byte of `local`, whether it holds a value
  std::uint64_t local_stride = 0;

  /// Makes `frame` the running one.
  void activate(Frame* to);
  /// Notes that these lanes have met.
  void meet(Mask lanes);
  /// What this lane knows of the others; nullptr while only all of them have met.
  const LaneCounts* known_of(unsigned lane) const {
    return known.empty() ? nullptr : &known[known_row[lane]];
  }
  /// Whether `before`, of this warp, has met `lane` since, itself or through others.
  bool met(std::uint32_t before, unsigned lane) const;
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
};

struct Block {
  Dim3 id;
  std::uint64_t index = 0;  // linear
  std::vector<Warp> warps;
  std::array<Barrier, kBarriers> barriers;
  std::uint32_t live_threads = 0;
  std::uint32_t threads = 0;
  std::uint64_t patience = kPatience;
  bool patience_ended = false;   // lanes that waited at a join have gone on alone
  std::uint64_t turns = 0;       // that were drawn
  std::uint64_t drawn_turn = 0;  // what the one that runs has: instructions, or accesses that talk
  Warp* held = nullptr;          // Turns::drawn: gets no turn for the time being
  std::uint32_t held_in = 0;     // the epoch in which a warp was held last
  /// Its threads have met at different barriers: races from here on are consequences.
  bool diverged = false;
};

/// What all workers of a launch share; constant while it runs, but for what is atomic.
struct Launch {
  const Module* module = nullptr;
  const Function* kernel = nullptr;
  LaunchShape shape;
  LaunchBounds bounds;
  const DeviceProfile* device = nullptr;
  DeviceMemory* memory = nullptr;
  std::vector<std::byte> arguments;  // the kernel's parameter bytes
  std::uint64_t shared_low = 0;      // addresses of shared memory in use
  std::uint64_t shared_high = 0;
  std::vector<SharedVariable> shared;  // the kernel's by rising address, dynamic one with its size
  std::uint64_t static_shared_bytes = 0;
  bool fences = false;
  /// Readers are kept one by one: flags or meetings of a part of a warp may order some of them.
  bool keeps_readers = false;
  Turns turns = Turns::usual;
  std::uint32_t poison = kPoison;
  std::uint64_t key = 0;                             // RunRequest::key
  std::uint64_t readable_key = 0;                    // RunRequest::readable_key
  std::uint64_t hold = 0;                            // RunRequest::hold
  std::span<const std::uint32_t> functions;          // KernelUse::functions
  const std::map<int, int>* return_lines = nullptr;  // nullptr: not known
  unsigned global_granule = 4;                       // bytes
  std::uint64_t step_limit = 0;
  std::uint64_t launch_step_limit = 0;
  std::uint64_t output_limit = 0;
  mutable std::atomic<std::uint64_t> spent{0};  // steps and charges of all warps so far
  mutable std::atomic<bool> clash{false};       // two threads wrote one word of global memory
  mutable std::atomic<bool> parted{false};      // a part of a warp met

  /// Warp instructions that parked lanes wait at first, and at least later on. Under a limit a lock
  /// must be able to go from thread to thread.
  std::uint64_t patience() const {
    return step_limit == 0 ? kPatience : std::min(kPatience, step_limit / 4);
  }
  std::uint64_t least_patience() const {
    constexpr std::uint64_t kThreads = 1024;
    return step_limit == 0 ? kLeastPatience
                           : std::clamp(step_limit / kThreads, kLeastPatience / 16, kLeastPatience);
  }

  /// The shared variable that begins last at or before `address`; nullptr where none does.
  const SharedVariable* shared_before(std::uint64_t address) const {
    const auto next = std::ranges::upper_bound(shared, address, {}, &SharedVariable::address);
    return next == shared.begin() ? nullptr : &*std::prev(next);
  }
};

/// Thrown inside a worker to leave a block that cannot go on; the finding has been noted.
struct BlockStopped {
  bool unsupported = false;
};

struct Worker {
  const Launch* launch = nullptr;
  Block block;
  std::vector<std::byte> shared;  // bytes from launch->shared_low
  std::vector<Site> sites;
  Shadow shadow;  // of `shared`
  std::uint32_t epoch = 0;
  std::uint32_t first_epoch = 0;                // of the running block
  std::vector<EarlyRead> early_reads;           // of this epoch
  std::unordered_set<std::size_t> raced_words;  // granules that raced after an early read
  Earlier earlier;                              // of `shared`, in this epoch
  MemoryOrder order;                            // where the kernel has fences
  std::unordered_map<const Allocation*, Trace> traces;
  Heap* heap = nullptr;
  std::span<Worker> of_its_thread;  // those of its host thread, itself among them
  std::vector<FindingNote> notes;
  std::map<FindingKey, std::size_t> note_at;  // in `notes`
  std::size_t last_noted = 0;                 // the lanes of an access mostly have one note
  std::map<FindingKind, std::size_t> notes_of;
  FindingNote one_too_many;  // stands in for those beyond kMaxNotes
  std::uint64_t instructions = 0;
  std::uint64_t longest_warp = 0;  // instructions of one warp, in blocks that came to their end
  std::uint64_t loaded_bytes = 0;  // that its lanes asked of global memory, in the same blocks
  std::uint64_t most_loaded_bytes = 0;  // by one warp
  std::uint64_t barriers = 0;
  std::uint64_t charges = 0;                   // steps that Launch::spent has not yet
  std::vector<std::unique_ptr<Frame>> frames;  // of calls; reused
  std::vector<Frame*> free_frames;
  std::uint64_t frame_bytes = 0;                              // of `frames` and of the root frames
  std::vector<std::pair<std::uint64_t, std::string>> output;  // by block
  std::uint64_t output_bytes = 0;
  bool output_cut = false;                // something was printed and not kept
  std::uint64_t prints = 0;               // calls of printf, one a thread
  Watcher* watcher = nullptr;             // of sample_launch() alone
  SharedTape* tape = nullptr;             // where RunRequest::shared_readers
  std::optional<RepeatedLoads> repeated;  // the same

  std::uint64_t most_frame_bytes() const {
    return std::max(kMaxFrameBytes / of_its_thread.size(), kMaxFrameBytes / 8);
  }
  void run_block(std::uint64_t index);
  void start_block(std::uint64_t index);
  /// A turn of each warp of the block. False where all its threads have exited.
  bool take_turns();
  Warp* held_warp();
  void end_block();

  /// Counts work beyond the instructions themselves for launch_step_limit.
  void charge(std::uint64_t steps) { charges += steps; }
  void charge_bytes(std::uint64_t bytes) { charge(bytes / kBytesOfStep); }

  /// Ends an epoch: a barrier of the block, or the block itself.
  void end_epoch();
  /// A barrier orders what the threads that wait at it did. What a thread stored that has ended
  /// counts as stored in the epoch that begins.
  void keep_stores_of_ended();
  /// Called where the warp's sync count is a multiple of Who::kAgeing.
  void age_accesses(const Warp& warp);
  Frame* take_frame();
  void give_frame(Frame* frame);
  /// Adds one to the note with that key; `describe` fills a new one.
  template <class Describe>
  void note(const FindingKey& key, std::uint64_t count, Describe describe);
  /// The note with that key; `fresh` where the caller must fill it.
  FindingNote& note_for(const FindingKey& key, bool& fresh);
  FindingNote* spare_note(FindingKind kind);
};

/// Sees every instruction of a block.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Called before the instruction runs.
  virtual void step(Warp& warp, const Inst* inst, Mask mask) = 0;
};

template <class Describe>
void Worker::note(const FindingKey& key, std::uint64_t count, Describe describe) {
  bool fresh = false;
  FindingNote& entry = note_for(key, fresh);
  entry.count += count;
  if (fresh) describe(entry);
}

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

}  // namespace tessera::sim
