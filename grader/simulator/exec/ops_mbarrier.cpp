// mbarrier: a phase is complete when all expected arrivals have come. An arrival releases, and a
// wait that sees the phase complete acquires, as with a flag in memory.
#include <algorithm>

#include "common/mixed.h"
#include "grader/simulator/exec/async_copies.h"
#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/mbarriers.h"
#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {
namespace {

using ptx::Space;

constexpr unsigned kBytesOfMbarrier = 8;
constexpr unsigned kCountBits = 20;
constexpr std::uint64_t kValid = 2;  // these two bits are equal in memory that was never written
constexpr std::uint32_t kMostAnswers = 1 << 11;  // to waits of a block, without an arrival

std::uint64_t mbarrier_address(Warp& warp, const Inst* inst, unsigned lane) {
  const std::uint64_t address = lane_address(warp, inst, lane);
  const bool generic = (inst->flags & MbarrierFlags::kGeneric) != 0;
  return generic && is_shared_address(address) ? address - kSharedWindow : address;
}

/// The flag of MemoryOrder that stands for a phase.
std::uint64_t flag_of(std::uint64_t address, bool odd) {
  return address + (odd ? 1 : 0);
}

[[noreturn]] void stop_at_mbarrier(Warp& warp, const Inst* inst, unsigned lane, Text mistake,
                                   Phrase hint) {
  stop_with_trap(warp, inst, std::move(mistake), hint, lane);
}

Mbarrier read(const std::byte* host) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, host, sizeof bits);
  return Mbarrier::from(bits);
}

/// The mbarrier at `host`, which some thread must have initialised.
Mbarrier initialised(Warp& warp, const Inst* inst, unsigned lane, const std::byte* host) {
  const Mbarrier state = read(host);
  if (state.valid) return state;
  Worker& worker = *warp.worker;
  const std::uint64_t unwritten = worker.launch->poison * ((std::uint64_t{1} << 32) + 1);
  if (state.bits() != Mbarrier::from(unwritten).bits())
    stop_at_mbarrier(warp, inst, lane, Phrase::no_mbarrier, Phrase::no_mbarrier_hint);
  const FindingKey key{FindingKind::uninitialized_read, warp.frame->function, inst->source,
                       "mbarrier"};
  worker.note(key, 1, [&](FindingNote& note) {
    note.message = Phrase::no_mbarrier;
    note.hint = Phrase::no_mbarrier_hint;
    name_thread(note, warp, lane);
  });
  throw BlockStopped{};
}

/// Lets all lanes that wait at mbarriers look again; the next look of theirs does not wait if
/// `answer` is set. Returns whether there are any.
bool wake(Block& block, bool answer) {
  bool any = false;
  for (Warp& warp : block.warps) {
    warp.worker->charge(1 + warp.splits.size());
    for (Split& split : warp.splits) {
      if (split.state != SplitState::at_mbarrier) continue;
      split.state = SplitState::ready;
      warp.answered |= answer;
      any = true;
    }
  }
  return any;
}

/// Stores the state; if its phase is complete, the next one begins and lanes that wait look again.
void store(Warp& warp, std::byte* host, Mbarrier state) {
  Block& block = *warp.block;
  block.answers = 0;
  if (state.pending == 0 && state.bytes == 0) {
    state.odd = !state.odd;
    state.pending = state.expected;
    wake(block, false);
  }
  const std::uint64_t bits = state.bits();
  std::memcpy(host, &bits, sizeof bits);
}

/// Calls `change` with the state that each lane finds, and stores what it makes of it.
template <class Change>
const Inst* change_each(Warp& warp, const Inst* inst, Mask mask, Change change) {
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t address = mbarrier_address(warp, inst, lane);
    std::byte* host =
        lane_pointer(warp, inst, lane, Space::shared, address, kBytesOfMbarrier, Access::atomic);
    if (host == nullptr) return;
    Mbarrier state = initialised(warp, inst, lane, host);
    change(lane, state, address);
    store(warp, host, state);
  });
  return inst + 1;
}

void add_bytes(Warp& warp, const Inst* inst, unsigned lane, Mbarrier& state, std::int64_t bytes) {
  const std::int64_t sum = state.bytes + bytes;
  constexpr std::int64_t kMost = Mbarrier::kMost;
  if (sum < -kMost || sum > kMost)
    stop_at_mbarrier(warp, inst, lane, say(Phrase::mbarrier_bytes, Mbarrier::kMost),
                     Phrase::mbarrier_bytes_hint);
  state.bytes = static_cast<std::int32_t>(sum);
}

/// A relaxed access releases what its thread did before its last fence.
void release(Warp& warp, const Inst* inst, std::uint64_t address, const Mbarrier& state,
             const Moment& now) {
  const bool orders = (inst->flags & MbarrierFlags::kRelaxed) == 0;
  warp.worker->history.order.release(flag_of(address, state.odd), now, false, orders);
}

/// `now` is after all that the arrival releases.
void arrive(Warp& warp, const Inst* inst, unsigned lane, Mbarrier& state, std::uint64_t address,
            std::uint32_t count, const Moment& now) {
  if (count == 0) return;  // PTX asks for 1 at least
  if (count > state.pending)
    stop_at_mbarrier(warp, inst, lane,
                     say(Phrase::too_many_arrivals, count, Count{state.pending, Phrase::arrival}),
                     Phrase::too_many_arrivals_hint);
  state.pending -= count;
  if (inst->flags & MbarrierFlags::kDrops) state.expected -= std::min(count, state.expected);
  if (inst->flags & MbarrierFlags::kStaysOpen && state.pending == 0 && state.bytes == 0)
    stop_at_mbarrier(warp, inst, lane, Phrase::completes_phase, Phrase::completes_phase_hint);
  release(warp, inst, address, state, now);
}

void write_plain(Warp& warp, const Inst* inst, unsigned lane, Mbarrier state) {
  const std::uint64_t bits = state.bits();
  std::byte* host =
      lane_pointer(warp, inst, lane, Space::shared, mbarrier_address(warp, inst, lane),
                   kBytesOfMbarrier, Access::write);
  if (host != nullptr) std::memcpy(host, &bits, sizeof bits);
}

/// Whether the phase that the lane asks for is complete.
bool is_complete(Warp& warp, const Inst* inst, unsigned lane, const Mbarrier& state) {
  const bool odd = inst->flags & MbarrierFlags::kParity
                       ? (warp.reg<std::uint32_t>(inst->b)[lane] & 1) != 0
                       : Mbarrier::from(warp.reg<std::uint64_t>(inst->b)[lane]).odd;
  return state.odd != odd;
}

/// The lanes that need not wait: their phase is complete, or their address is wrong.
Mask lanes_that_pass(Warp& warp, const Inst* inst, Mask mask) {
  Mask pass = 0;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t address = mbarrier_address(warp, inst, lane);
    const std::byte* host =
        lane_pointer(warp, inst, lane, Space::shared, address, kBytesOfMbarrier, Access::read);
    if (host == nullptr || is_complete(warp, inst, lane, initialised(warp, inst, lane, host)))
      pass |= Mask{1} << lane;
  });
  return pass;
}

/// While it lives, what is noted of the warp has its place in the function of `inst`, wherever the
/// warp is.
class AsIfIn {
 public:
  AsIfIn(Warp& warp, const Inst* inst) : warp_(warp), running_(std::exchange(warp.frame, &frame_)) {
    const Module& module = *warp.worker->launch->module;
    frame_.function = &module.functions[module.sites[inst->site].function];
  }
  ~AsIfIn() { warp_.frame = running_; }
  AsIfIn(const AsIfIn&) = delete;
  AsIfIn& operator=(const AsIfIn&) = delete;

 private:
  Warp& warp_;
  Frame frame_;
  Frame* running_;
};

/// The lane's copies arrive, and so does the lane, which may have ended. The arrival releases the
/// copies and what its thread did before cp.async.mbarrier.arrive, but nothing that it did since.
void land(Warp& warp, unsigned lane, const CopyArrival& arrival) {
  const AsIfIn place(warp, arrival.inst);
  complete_copies(warp, arrival.inst, lane, arrival.begun);
  const std::uint64_t steps = std::exchange(warp.steps, arrival.steps);
  std::byte* host = lane_pointer(warp, arrival.inst, lane, Space::shared, arrival.mbarrier,
                                 kBytesOfMbarrier, Access::atomic);
  warp.steps = steps;
  if (host == nullptr) return;
  Mbarrier state = initialised(warp, arrival.inst, lane, host);
  if (Watcher* const watcher = warp.worker->watcher)
    watcher->copies_arrive(warp, arrival.begun, flag_of(arrival.mbarrier, state.odd));
  Moment now = moment_of(warp, lane);
  now.time = arrival.steps;  // when the copies count as written
  now.sync_count = arrival.sync_count;
  now.who = Who::make(Who::thread(now.who), arrival.sync_count);
  arrive(warp, arrival.inst, lane, state, arrival.mbarrier, 1, now);
  store(warp, host, state);
}

/// How many arrivals of copies are on their way to the mbarrier.
std::uint32_t copies_awaited(Block& block, std::uint64_t mbarrier) {
  std::uint32_t count = 0;
  for (const Warp& warp : block.warps) {
    if (!warp.copies.used) continue;
    for (const LaneCopies& lane : warp.copies.lanes)
      count += static_cast<std::uint32_t>(
          std::ranges::count(lane.arrivals, mbarrier, &CopyArrival::mbarrier));
  }
  return count;
}

/// Copies are on their way as long as they can be: those for which `mbarrier` waits arrive if it
/// waits for nothing else.
void land_copies(Warp& waiting, unsigned waiting_lane, std::uint64_t mbarrier) {
  Block& block = *waiting.block;
  if (block.copy_arrivals == 0) return;
  waiting.worker->charge(block.warps.size() + block.copy_arrivals / kInstructionsOfStep);
  const std::byte* host = host_at(waiting, waiting_lane, Space::shared, mbarrier, kBytesOfMbarrier);
  if (host == nullptr || copies_awaited(block, mbarrier) < read(host).pending) return;
  for (Warp& warp : block.warps) {
    warp.worker->charge(1);
    if (!warp.copies.used) continue;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::vector<CopyArrival>& all = warp.copies.lanes[lane].arrivals;
      for (std::size_t i = 0; i < all.size();) {
        if (all[i].mbarrier != mbarrier) {
          ++i;
          continue;
        }
        land(warp, lane, all[i]);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
        --block.copy_arrivals;
      }
    }
  }
}

/// How many looks in one place fail immediately before one waits. A program that gives up after
/// some looks must meet a wait that takes longer.
std::uint32_t looks_before_waiting(const Warp& warp) {
  constexpr std::uint64_t kMost = 8;
  constexpr std::uint64_t kLong = 16;  // one of so many waits takes long
  constexpr std::uint32_t kMostOfLong = 2000;
  const Launch& launch = *warp.worker->launch;
  if (launch.turns != Turns::drawn) return 1;
  const std::uint64_t before = warp.failed_waits.ended();
  const bool drawn_block = warp.block->index == launch.key % launch.shape.grid.count();
  if ((before == 0 && drawn_block) || drawn(launch.key, before * kLanes + warp.index) % kLong == 0)
    return kMostOfLong;
  return 1 + static_cast<std::uint32_t>(drawn(launch.key, warp.index) % kMost);
}

}  // namespace

std::uint32_t FailedWaits::count(const Inst* inst) {
  auto wait = std::ranges::find(waits_, inst, &Wait::inst);
  if (wait == waits_.end()) wait = std::ranges::find(waits_, nullptr, &Wait::inst);  // a free place
  if (wait == waits_.end()) *(wait = &waits_[next_++ % waits_.size()]) = {};
  wait->inst = inst;
  return ++wait->looks;
}

void FailedWaits::remove(const Inst* inst) {
  const auto found = std::ranges::find(waits_, inst, &Wait::inst);
  if (found == waits_.end()) return;
  *found = {};
  ++ended_;
}

Mbarrier Mbarrier::from(std::uint64_t bits) {
  constexpr std::uint64_t kOnes = (std::uint64_t{1} << kCountBits) - 1;
  Mbarrier state;
  state.pending = static_cast<std::uint32_t>(bits & kOnes);
  state.expected = static_cast<std::uint32_t>(bits >> kCountBits & kOnes);
  const auto biased = static_cast<std::int32_t>(bits >> 2 * kCountBits & (2 * kOnes + 1));
  state.bytes = biased - static_cast<std::int32_t>(kMost);
  state.valid = (bits >> 61 & 3) == kValid;
  state.odd = bits >> 63 != 0;
  return state;
}

std::uint64_t Mbarrier::bits() const {
  const auto biased = static_cast<std::uint64_t>(bytes + static_cast<std::int32_t>(kMost));
  return pending | std::uint64_t{expected} << kCountBits | biased << 2 * kCountBits |
         (valid ? kValid : 0) << 61 | std::uint64_t{odd} << 63;
}

const Inst* init_mbarrier(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint32_t* count = warp.reg<std::uint32_t>(inst->b);
  for_lanes(mask, [&](unsigned lane) {
    if (count[lane] == 0 || count[lane] > Mbarrier::kMost)
      stop_at_mbarrier(warp, inst, lane, say(Phrase::mbarrier_count, count[lane], Mbarrier::kMost),
                       Phrase::mbarrier_count_hint);
    write_plain(warp, inst, lane, {.pending = count[lane], .expected = count[lane], .valid = true});
  });
  return inst + 1;
}

const Inst* inval_mbarrier(Warp& warp, const Inst* inst, Mask mask) {
  for_lanes(mask, [&](unsigned lane) { write_plain(warp, inst, lane, {}); });
  return inst + 1;
}

const Inst* expect_bytes(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint32_t* bytes = warp.reg<std::uint32_t>(inst->b);
  return change_each(warp, inst, mask, [&](unsigned lane, Mbarrier& state, std::uint64_t) {
    add_bytes(warp, inst, lane, state, bytes[lane]);
  });
}

const Inst* complete_bytes(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint32_t* bytes = warp.reg<std::uint32_t>(inst->b);
  return change_each(warp, inst, mask, [&](unsigned lane, Mbarrier& state, std::uint64_t address) {
    add_bytes(warp, inst, lane, state, -static_cast<std::int64_t>(bytes[lane]));
    release(warp, inst, address, state, moment_of(warp, lane));
  });
}

const Inst* arrive_at_mbarrier(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint32_t* operand = warp.reg<std::uint32_t>(inst->b);
  const bool bytes = (inst->flags & MbarrierFlags::kBytes) != 0;
  std::array<std::uint64_t, kLanes> token{};
  change_each(warp, inst, mask, [&](unsigned lane, Mbarrier& state, std::uint64_t address) {
    token[lane] = state.bits();
    if (bytes) add_bytes(warp, inst, lane, state, operand[lane]);
    if (Watcher* const watcher = warp.worker->watcher)
      watcher->lane_arrives(warp, flag_of(address, state.odd));
    arrive(warp, inst, lane, state, address, bytes ? 1 : operand[lane], moment_of(warp, lane));
  });
  write_lanes<std::uint64_t>(warp, inst->dst, mask, [&](unsigned lane) { return token[lane]; });
  return inst + 1;
}

const Inst* wait_at_mbarrier(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  Mask pass = lanes_that_pass(warp, inst, mask);
  // A program must not count on it that the first look waits, nor some of the next.
  const bool again = pass != mask && warp.failed_waits.count(inst) > looks_before_waiting(warp);
  if (again) {
    for_lanes(mask & ~pass,
              [&](unsigned lane) { land_copies(warp, lane, mbarrier_address(warp, inst, lane)); });
    pass = lanes_that_pass(warp, inst, mask);
  }
  if (pass == mask) warp.failed_waits.remove(inst);
  const bool answered = std::exchange(warp.answered, false);
  if (pass != mask && again && !answered) {
    warp.leave_others(inst, mask);
    warp.park(inst, SplitState::at_mbarrier);
    return nullptr;
  }
  Worker& worker = *warp.worker;
  if (pass != 0) {
    ++worker.counts.barriers;
    warp.copies.used = true;
    warp.copies.waited_in = worker.history.epoch;
  }
  for_lanes(pass, [&](unsigned lane) {
    const std::uint64_t address = mbarrier_address(warp, inst, lane);
    const std::byte* host = host_at(warp, lane, Space::shared, address, kBytesOfMbarrier);
    if (host == nullptr) return;
    const std::uint64_t flag = flag_of(address, !read(host).odd);
    if (inst->flags & MbarrierFlags::kRelaxed)
      worker.history.order.see(flag, moment_of(warp, lane));
    else
      worker.history.order.acquire(flag, moment_of(warp, lane));
    if (worker.watcher != nullptr) worker.watcher->wait_ends(warp, flag);
  });
  write_predicate(warp, inst->dst.offset, mask, pass);
  return inst + 1;
}

const Inst* pending_of_token(Warp& warp, const Inst* inst, Mask mask) {
  const std::uint64_t* token = warp.reg<std::uint64_t>(inst->a);
  write_lanes<std::uint32_t>(warp, inst->dst, mask,
                             [&](unsigned lane) { return Mbarrier::from(token[lane]).pending; });
  return inst + 1;
}

const Inst* arrive_with_copies(Warp& warp, const Inst* inst, Mask mask) {
  warp.copies.used = true;
  const bool increments = (inst->flags & MbarrierFlags::kNoIncrement) == 0;
  return change_each(warp, inst, mask, [&](unsigned lane, Mbarrier& state, std::uint64_t address) {
    // Until the lane arrives, the phase waits for one arrival more than it would without it.
    if (increments && ++state.pending > Mbarrier::kMost)
      stop_at_mbarrier(warp, inst, lane,
                       say(Phrase::mbarrier_count, state.pending, Mbarrier::kMost),
                       Phrase::mbarrier_count_hint);
    LaneCopies& own = warp.copies.lanes[lane];
    if (own.arrivals.size() >= CopyArrival::kMost)
      stop_at_mbarrier(warp, inst, lane, say(Phrase::too_many_copy_arrivals, CopyArrival::kMost),
                       Phrase::too_many_arrivals_hint);
    own.arrivals.push_back({address, own.begun, inst, warp.steps, warp.sync_count});
    ++warp.block->copy_arrivals;
  });
}

bool land_awaited_copies(Worker& worker) {
  Block& block = worker.block;
  const auto on_the_way = block.copy_arrivals;
  for (Warp& warp : block.warps) {
    for (std::size_t i = 0; i < warp.splits.size() && block.copy_arrivals != 0; ++i) {
      const Split split = warp.splits[i];
      if (split.state != SplitState::at_mbarrier) continue;
      warp.activate(split.frame);
      for_lanes(split.mask, [&](unsigned lane) {
        land_copies(warp, lane, mbarrier_address(warp, split.next, lane));
      });
    }
  }
  return block.copy_arrivals != on_the_way;
}

bool answer_waits(Worker& worker) {
  Block& block = worker.block;
  if (block.answers >= kMostAnswers || !wake(block, true)) return false;
  ++block.answers;
  return true;
}

std::uint32_t arrivals_missing(Warp& warp, const Inst* inst, unsigned lane) {
  const std::byte* host =
      host_at(warp, lane, Space::shared, mbarrier_address(warp, inst, lane), kBytesOfMbarrier);
  return host == nullptr ? 0 : read(host).pending;
}

}  // namespace tessera::sim
