// Block barriers and warp-wide instructions (PTX ISA 9.7.12.1, 9.7.8.6, 9.7.12.8 on).
#include <fmt/format.h>

#include <functional>
#include <tuple>

#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {
namespace {

using ptx::Type;

std::uint32_t threads_awaited(const Block& block, const Barrier& barrier) {
  return barrier.expected != 0 ? barrier.expected : block.live_threads;
}

/// Writes the result of bar.red, which is the same for every thread.
void write_reduction(Warp& warp, const Inst* inst, Mask mask, std::uint32_t votes,
                     std::uint32_t arrived) {
  switch (inst->flags & BarrierFlags::kReduce) {
    case BarrierFlags::kPopc:
      write_lanes<std::uint32_t>(warp, inst->dst, mask, [=](unsigned) { return votes; });
      break;
    case BarrierFlags::kAnd:
      write_predicate(warp, inst->dst.offset, mask, votes == arrived ? kAllLanes : 0);
      break;
    case BarrierFlags::kOr:
      write_predicate(warp, inst->dst.offset, mask, votes > 0 ? kAllLanes : 0);
      break;
    default:
      break;
  }
}

/// Whether `to` can be reached from `from` inside one function.
bool leads_to(const Function& function, const Inst* from, const Inst* to) {
  const Inst* code = function.code.data();
  const std::less<const Inst*> before;
  if (before(from, code) || !before(from, code + function.code.size())) return false;
  return reaches(function, {static_cast<std::size_t>(from - code)},
                 [&](std::size_t at) { return code + at == to; });
}

/// A barrier at which threads wait, or a call that led them there.
struct WaitingPlace {
  const Frame* frame = nullptr;
  const Inst* inst = nullptr;

  const Function& function() const { return *frame->function; }
  int line() const { return function().locations[inst->source].line; }
  /// The call of the function that this place is in. If that is the kernel, a place without a
  /// frame.
  WaitingPlace call() const { return {frame->caller, frame->call}; }
  /// Whether the two places may be one barrier (or call) of the source: they have the same line and
  /// column in the same function, and one can follow the other. A compiler makes two instructions
  /// of one if it unrolls a loop. It never makes one for each side of a branch, since it must not
  /// move a barrier under a condition.
  bool is_one_with(const WaitingPlace& other) const {
    const auto place = [](const WaitingPlace& waiting) {
      const ptx::Location& at = waiting.function().locations[waiting.inst->source];
      return std::tuple(at.line, at.column, at.inlined_calls);
    };
    if (frame->function != other.frame->function || inst->flags != other.inst->flags) return false;
    if (inst == other.inst) return true;
    return place(*this) == place(other) &&
           (leads_to(function(), inst, other.inst) || leads_to(function(), other.inst, inst));
  }
};

/// The places in which two call stacks first differ: the barriers themselves, or calls that led to
/// them. Nothing if the stacks are the same.
std::optional<std::pair<WaitingPlace, WaitingPlace>> parting(WaitingPlace here,
                                                             WaitingPlace there) {
  std::optional<std::pair<WaitingPlace, WaitingPlace>> last;
  for (; here.frame != nullptr && there.frame != nullptr;
       here = here.call(), there = there.call()) {
    if (!here.is_one_with(there)) last = {here, there};
  }
  return last;
}

void note_different_barriers(Worker& worker, WaitingPlace here, WaitingPlace there) {
  if (there.line() < here.line()) std::swap(here, there);
  worker.block.diverged = true;
  worker.note({FindingKind::divergent_barrier, &here.function(), here.inst->source, ""}, 1,
              [&](FindingNote& note) {
                const SourceLine one{here.line()}, other{there.line()};
                note.message = one == other ? say(Phrase::barriers_differ_in_line, one)
                                            : say(Phrase::barriers_differ, one, other);
                note.hint = Phrase::barriers_differ_hint;
                note.example.emplace_back("block", to_string(worker.block.id));
              });
}

/// Notes that the threads of a warp reached a barrier in parts: all of them must come together.
void note_parts(Worker& worker, const WaitingPlace& place) {
  if (lanes_run_apart(worker.launch->turns)) return;  // in this order they never come together
  worker.block.diverged = true;
  worker.note({FindingKind::divergent_barrier, &place.function(), place.inst->source, "parts"}, 1,
              [&](FindingNote& note) {
                note.message = Phrase::warp_in_parts;
                note.hint = Phrase::warp_in_parts_hint;
                note.example.emplace_back("block", to_string(worker.block.id));
              });
}

/// Whether the source has a `return` under the condition of `branch` that does not stand behind the
/// barrier, or the call that leads to it. True if the lines of returns are not known.
bool may_return_before(const Launch& launch, const Inst* branch, const WaitingPlace& place) {
  const std::map<int, int>* lines = launch.return_lines;
  if (lines == nullptr) return true;
  const int last = place.line();
  const int line = place.function().locations[branch->source].line;
  return std::any_of(lines->lower_bound(line), lines->end(), [&](const auto& entry) {
    const auto [returns, condition] = entry;
    return condition <= line && (last < condition || returns <= last);
  });
}

/// Notes the threads that have ended and will never reach this barrier. Those that returned early,
/// at a branch whose other side leads here, are no hazard on current GPUs, which wait for the rest;
/// those that went past it are.
void note_absent_threads(Worker& worker, const WaitingPlace& barrier) {
  Block& block = worker.block;
  if (block.diverged) return;
  WaitingPlace in_kernel = barrier;
  while (in_kernel.call().frame != nullptr) in_kernel = in_kernel.call();
  // A block may have a thousand such threads at each of its barriers, and its kernel many branches.
  const auto is_early = [&](const Inst* from) {
    if (from == nullptr) return false;
    worker.charge(1);
    const auto [entry, fresh] = block.early_returns.try_emplace({from, in_kernel.inst});
    if (fresh) {
      worker.charge(in_kernel.function().code.size() / kInstructionsOfStep);
      entry->second = leads_to(in_kernel.function(), from, in_kernel.inst) &&
                      may_return_before(*worker.launch, from, in_kernel);
    }
    return entry->second;
  };
  std::uint32_t absent = 0, past = 0;
  const Inst* last_branch = nullptr;
  bool last_early = false;
  for (const Warp& warp : block.warps) {
    for_lanes(warp.all & ~warp.live, [&](unsigned lane) {
      ++absent;
      const Inst* from = warp.left_from[lane];
      if (from != last_branch) last_early = is_early(from);
      last_branch = from;
      past += !last_early;
    });
  }
  if (absent == 0) return;
  block.diverged = past != 0;
  const Severity severity = past == 0 ? Severity::warning : Severity::error;
  const std::string subject = past == 0 ? "returned" : "went past";
  worker.note({FindingKind::divergent_barrier, &barrier.function(), barrier.inst->source, subject},
              1, [&](FindingNote& note) {
                note.severity = severity;
                note.message = past == 0
                                   ? say(Phrase::returned_before_barrier, absent, block.threads)
                                   : say(Phrase::went_past_barrier, past, block.threads);
                note.hint = past == 0 ? Phrase::returned_before_barrier_hint
                                      : Phrase::went_past_barrier_hint;
                note.example.emplace_back("block", to_string(block.id));
              });
}

/// By how much the arrival of these lanes raises the count of a barrier with a number of threads.
/// The hardware counts whole warps, also where some of their threads have ended.
std::uint32_t arrive_in_warp(Warp& warp, std::uint32_t number, Mask mask) {
  Mask& lanes = warp.arrived_at[number];
  const auto count = [&] {
    const bool all = lanes != 0 && (warp.live & ~lanes) == 0;
    return all ? kLanes : static_cast<std::uint32_t>(std::popcount(lanes));
  };
  if ((lanes & mask) != 0) lanes = 0;  // they arrive once more
  const std::uint32_t before = count();
  lanes |= mask;
  return count() - before;
}

/// Whether all threads of the block wait at the complete barrier.
bool meets_whole_block(const Block& block, const Barrier& barrier) {
  if (barrier.expected == 0) return true;
  return barrier.all_wait && barrier.expected >= block.warps.size() * kLanes;
}

/// Records that lanes arrive at a barrier where a part of the block meets. Threads may arrive there
/// without waiting, and some may come more than once. So it orders accesses as a flag does, which
/// threads set when they arrive and read when they go on.
void arrive_counted(Warp& warp, std::uint32_t number, Mask mask) {
  for_lanes(mask, [&](unsigned lane) {
    const Moment now = moment_of(warp, lane);
    warp.worker->history.order.fence(now, false);
    warp.worker->history.order.release(kBarrierFlags + number, now, false);
  });
}

/// Records that the threads that wait at such a barrier have arrived: nothing that they did came
/// since.
void arrive_waiting(Worker& worker, std::uint32_t number) {
  for (Warp& warp : worker.block.warps) {
    for (const Split& split : warp.splits) {
      if (split.state == SplitState::at_barrier && split.barrier == number)
        arrive_counted(warp, number, split.mask);
    }
  }
}

/// Records that lanes go on after such a barrier. They go on together, so the flag is read for one
/// of them, and then they meet.
void leave_counted(Warp& warp, std::uint32_t number, Mask mask) {
  const auto lane = static_cast<unsigned>(std::countr_zero(mask));
  warp.worker->history.order.acquire(kBarrierFlags + number, moment_of(warp, lane));
  warp.meet(mask);
}

/// Lanes arrive at a barrier with a number of threads, or go on after it: a watcher of the block
/// follows it as the phase of an mbarrier.
void watch_arrival(Warp& warp, std::uint32_t number) {
  if (Watcher* const watcher = warp.worker->watcher)
    watcher->lane_arrives(warp, kBarrierFlags + number);
}
void watch_leaving(Warp& warp, std::uint32_t number) {
  if (Watcher* const watcher = warp.worker->watcher)
    watcher->wait_ends(warp, kBarrierFlags + number);
}

/// Lets the threads go on that wait at the barrier. `last` is the place of the last threads to
/// arrive, which are a part of the warp `arriving`; nullptr if it is complete because threads
/// ended.
void release(Worker& worker, std::uint32_t number, const WaitingPlace& last, const Warp* arriving) {
  Block& block = worker.block;
  Barrier& barrier = block.barriers[number];
  // Without a number of threads all of them must come to one place in the code.
  const bool one_place = barrier.expected == 0;
  const bool whole_block = meets_whole_block(block, barrier);
  if (!whole_block) arrive_waiting(worker, number);
  WaitingPlace first = last;
  bool in_parts = false;
  for (Warp& warp : block.warps) {
    Frame* running = warp.frame;
    unsigned parts = &warp == arriving;
    for (Split& split : warp.splits) {
      if (split.state != SplitState::at_barrier || split.barrier != number) continue;
      ++parts;
      const WaitingPlace place{split.frame, split.next};
      if (first.frame == nullptr) first = place;
      if (const auto parted = parting(first, place); one_place && parted)
        note_different_barriers(worker, parted->first, parted->second);
      warp.activate(split.frame);
      write_reduction(warp, split.next, split.mask, barrier.votes, barrier.arrived);
      if (!whole_block) leave_counted(warp, number, split.mask);
      if (!one_place) watch_leaving(warp, number);
      split.state = SplitState::ready;
      ++split.next;
    }
    if (running != nullptr) warp.activate(running);
    warp.arrived_at[number] = 0;
    if (whole_block) warp.meet(kAllLanes);
    in_parts = in_parts || parts > 1;
  }
  // If lanes at a join have waited very long, they have gone on alone: then parts are no mistake.
  if (one_place && in_parts && !block.diverged && !block.patience_ended) note_parts(worker, first);
  if (one_place && first.frame != nullptr) note_absent_threads(worker, first);
  barrier = {};
  if (whole_block) worker.end_epoch();
}

[[noreturn]] void stop_at_barrier(Warp& warp, const Inst* inst, const Text& mistake) {
  stop_with_trap(warp, inst, mistake, say(Phrase::barriers_of_block_hint, kBarriers - 1));
}

/// The value of an operand (a barrier's number, or its number of threads), which must be the same
/// in all lanes.
std::uint32_t same_in_all_lanes(Warp& warp, const Inst* inst, Ref operand, Mask mask) {
  const std::uint32_t* values = warp.reg<std::uint32_t>(operand);
  const std::uint32_t first = values[std::countr_zero(mask)];
  for_lanes(mask, [&](unsigned lane) {
    if (values[lane] != first) stop_at_barrier(warp, inst, Phrase::different_barriers_in_warp);
  });
  return first;
}

}  // namespace

bool reaches(const Function& function, std::vector<std::size_t> from,
             const std::function<bool(std::size_t)>& is_goal,
             const std::function<bool(std::size_t)>& is_wall) {
  std::vector<bool> seen(function.code.size());
  while (!from.empty()) {
    const std::size_t at = from.back();
    from.pop_back();
    if (at >= seen.size() || seen[at]) continue;
    if (is_goal(at)) return true;
    seen[at] = true;
    if (is_wall && is_wall(at)) continue;
    const Inst& inst = function.code[at];
    const bool leaves = inst.run == return_from || inst.run == exit_thread;
    if (inst.run == branch) from.push_back(inst.target);
    if (inst.run == branch_indexed) {
      for (std::uint32_t target : function.lists[inst.extra].targets) from.push_back(target);
    }
    if (inst.guard != 0 || (!leaves && inst.run != branch)) from.push_back(at + 1);
  }
  return false;
}

void complete_barriers(Worker& worker) {
  Block& block = worker.block;
  for (std::uint32_t number = 0; number < kBarriers; ++number) {
    const Barrier& barrier = block.barriers[number];
    if (barrier.arrived != 0 && barrier.arrived >= threads_awaited(block, barrier))
      release(worker, number, {}, nullptr);
  }
}

const Inst* barrier(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  Block& block = *warp.block;
  ++warp.worker->counts.barriers;
  const std::uint32_t number = same_in_all_lanes(warp, inst, inst->a, mask);
  if (number >= kBarriers) stop_at_barrier(warp, inst, say(Phrase::no_such_barrier, number));
  Barrier& state = block.barriers[number];
  if (inst->flags & BarrierFlags::kCounted) {
    state.expected = same_in_all_lanes(warp, inst, inst->b, mask);
    if (state.expected == 0 || state.expected % kLanes != 0)
      stop_at_barrier(warp, inst, say(Phrase::odd_barrier_count, state.expected));
  }
  const bool counted = state.expected != 0;
  if (counted && (inst->flags & BarrierFlags::kAligned) && mask != warp.live &&
      !block.patience_ended)
    note_parts(*warp.worker, {warp.frame, inst});
  state.arrived += counted ? arrive_in_warp(warp, number, mask)
                           : static_cast<std::uint32_t>(std::popcount(mask));
  if (inst->flags & BarrierFlags::kReduce) {
    Mask votes = warp.predicates[inst->c.offset];
    if (inst->flags & BarrierFlags::kNegate) votes = ~votes;
    state.votes += static_cast<std::uint32_t>(std::popcount(votes & mask));
  }
  const bool complete = state.arrived >= threads_awaited(block, state);
  if (counted) watch_arrival(warp, number);
  if (inst->flags & BarrierFlags::kArrive) {
    state.all_wait = false;
    if (counted) arrive_counted(warp, number, mask);
    if (complete) release(*warp.worker, number, {warp.frame, inst}, nullptr);
    return inst + 1;
  }
  warp.leave_others(inst, mask);
  if (complete) {
    const bool in_part = !meets_whole_block(block, state);
    if (in_part) arrive_counted(warp, number, mask);
    write_reduction(warp, inst, mask, state.votes, state.arrived);
    release(*warp.worker, number, {warp.frame, inst}, &warp);
    if (in_part) leave_counted(warp, number, mask);
    if (counted) watch_leaving(warp, number);
    // Without this the last warp to arrive would always be the first to go on.
    end_turn(warp);
    warp.park(inst + 1, SplitState::ready);
    return nullptr;
  }
  warp.park(inst, SplitState::at_barrier);
  warp.splits.back().barrier = number;
  return nullptr;
}

// ---- sleeping

/// The whole warp gets no turn for as many steps as one of its lanes sleeps nanoseconds: a card may
/// sleep for any time up to twice that.
const Inst* sleep_for(Warp& warp, const Inst* inst, Mask mask) {
  constexpr std::uint32_t kMostNanoseconds = 1'000'000;
  const std::uint32_t* asked = warp.reg<std::uint32_t>(inst->a);
  std::uint32_t longest = 0;
  for_lanes(mask, [&](unsigned lane) {
    longest = std::max(longest, std::min(asked[lane], kMostNanoseconds));
  });
  if (longest == 0) return inst + 1;
  warp.asleep_until = warp.block->time + (warp.steps - warp.slice_start) + longest;
  warp.worker->charge(
      warp.block->warps.size());  // all of them are asked again whether they can run
  end_turn(warp);
  warp.park(inst + 1, SplitState::ready);
  return nullptr;
}

// ---- warp-wide instructions

namespace {

/// Whether the split waits in an instruction of the same kind as `inst` for the same members.
bool waits_in(const Split& split, const Inst* inst, Mask members) {
  return split.state == SplitState::at_collective && split.members == members &&
         split.next->collective == inst->collective;
}

Mask lanes_that_wait(const Warp& warp, const Inst* inst, Mask members) {
  Mask lanes = 0;
  for (const Split& split : warp.splits) lanes |= waits_in(split, inst, members) ? split.mask : 0;
  return lanes;
}

void note_outsiders(Warp& warp, const Inst* inst, Mask outsiders, Mask members) {
  warp.worker->note({FindingKind::divergent_barrier, warp.frame->function, inst->source, "mask"}, 1,
                    [&](FindingNote& note) {
                      const unsigned lane = static_cast<unsigned>(std::countr_zero(outsiders));
                      note.message = say(Phrase::lane_not_in_mask, lane,
                                         Detail(fmt::format("{:#010x}", members)));
                      note.hint = Phrase::lane_not_in_mask_hint;
                      name_thread(note, warp, lane);
                    });
}

/// The lanes of `mask` that name the same members as its lowest lane.
Mask lanes_with_same_members(const std::uint32_t* members, Mask mask) {
  const std::uint32_t first = members[std::countr_zero(mask)];
  Mask same = 0;
  for_lanes(mask, [&](unsigned lane) { same |= Mask{members[lane] == first} << lane; });
  return same;
}

/// Computes the instruction if every lane that `group` waits for is in `group`; returns whether it
/// did.
bool complete_at_once(Warp& warp, const Inst* inst, Mask group, Mask members) {
  if ((group & ~members) != 0) note_outsiders(warp, inst, group & ~members, members);
  if ((members & warp.live & ~group) != 0) return false;
  Exchange exchange;
  exchange.lanes = group;
  inst->collective->publish(warp, inst, group, exchange);
  inst->collective->compute(warp, inst, group, exchange);
  warp.meet(group);
  return true;
}

}  // namespace

void retry_collectives(Warp& warp) {
  for (Split& split : warp.splits) {
    if (split.state == SplitState::at_warp) split.state = SplitState::ready;  // looks again
    if (split.state != SplitState::at_collective) continue;
    const Mask here = lanes_that_wait(warp, split.next, split.members);
    if ((split.members & warp.live & ~here) == 0) split.state = SplitState::ready;
  }
}

const Inst* collective(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  // Lanes may name different members, as if each half of a warp names itself: each group is handled
  // by itself.
  const std::uint32_t* masks = warp.reg<std::uint32_t>(inst->d);
  const std::uint64_t most = warp.work.shuffles + 1;  // for all groups of this step
  Mask group = lanes_with_same_members(masks, mask);
  while (complete_at_once(warp, inst, group, masks[std::countr_zero(group)])) {
    warp.work.shuffles = std::min(warp.work.shuffles, most);
    mask &= ~group;
    if (mask == 0) return inst + 1;
    group = lanes_with_same_members(masks, mask);
  }
  if (group != mask) {
    warp.splits.push_back({inst, mask & ~group, warp.frame, warp.join});
    warp.set_active(warp.active & ~(mask & ~group));
    mask = group;
  }
  const Mask members = masks[std::countr_zero(mask)];
  const Mask needed = members & warp.live;
  Exchange exchange;
  inst->collective->publish(warp, inst, mask, exchange);
  // Lanes of the same instruction kind and member mask may come from other places in the code.
  const Mask here = mask | lanes_that_wait(warp, inst, members);
  warp.leave_others(inst, mask);
  if ((needed & ~here) != 0) {
    warp.park(inst, SplitState::at_collective);
    warp.splits.back().members = members;
    return nullptr;
  }
  Frame* running = warp.frame;
  const auto for_waiting = [&](auto action) {
    for (Split& split : warp.splits) {
      if (!waits_in(split, inst, members)) continue;
      warp.activate(split.frame);
      action(split);
    }
    warp.activate(running);
  };
  exchange.lanes = here;
  warp.meet(here);
  for_waiting([&](Split& split) {
    split.next->collective->publish(warp, split.next, split.mask, exchange);
  });
  inst->collective->compute(warp, inst, mask, exchange);
  warp.work.shuffles = std::min(warp.work.shuffles, most);
  for_waiting([&](Split& split) {
    split.next->collective->compute(warp, split.next, split.mask, exchange);
    split.state = SplitState::ready;
    ++split.next;
  });
  return inst + 1;
}

namespace {

void publish_nothing(Warp&, const Inst*, Mask, Exchange&) {
}
void compute_nothing(Warp&, const Inst*, Mask, const Exchange&) {
}

template <class T>
void publish_value(Warp& warp, const Inst* inst, Mask mask, Exchange& exchange) {
  const T* value = warp.reg<T>(inst->a);
  for_lanes(mask, [&](unsigned lane) { exchange.value[lane] = value[lane]; });
}

void publish_predicate(Warp& warp, const Inst* inst, Mask mask, Exchange& exchange) {
  Mask value = warp.predicates[inst->c.offset];
  if (inst->flags & CollectiveFlags::kNegate) value = ~value;
  exchange.predicate |= value & mask;
}

enum class Shuffle { up, down, bfly, idx };

/// The lane that `lane` reads from, and whether it lies within the segment (PTX ISA, shfl.sync's
/// pseudocode).
template <Shuffle kMode>
bool source_lane(unsigned lane, std::uint32_t b, std::uint32_t c, unsigned& from) {
  const std::uint32_t segment = (c >> 8) & 0x1f;
  const std::uint32_t clamp = c & 0x1f;
  const std::uint32_t value = b & 0x1f;
  const unsigned max_lane = (lane & segment) | (clamp & ~segment);
  const unsigned min_lane = lane & segment;
  bool inside = false;
  switch (kMode) {
    case Shuffle::up:
      from = lane - value;
      inside = static_cast<int>(from) >= static_cast<int>(max_lane);
      break;
    case Shuffle::down:
      from = lane + value;
      inside = from <= max_lane;
      break;
    case Shuffle::bfly:
      from = lane ^ value;
      inside = from <= max_lane;
      break;
    case Shuffle::idx:
      from = min_lane | (value & ~segment);
      inside = from <= max_lane;
      break;
  }
  if (!inside) from = lane;
  return inside;
}

template <Shuffle kMode>
void compute_shuffle(Warp& warp, const Inst* inst, Mask mask, const Exchange& exchange) {
  const std::uint32_t* b = warp.reg<std::uint32_t>(inst->b);
  const std::uint32_t* c = warp.reg<std::uint32_t>(inst->c);
  std::uint32_t* to = warp.reg<std::uint32_t>(inst->dst);
  alignas(64) std::uint32_t result[kLanes] = {};
  const std::uint32_t poison = warp.worker->launch->poison;
  Mask inside = 0;
  bool exchanged = false;
  for_lanes(mask, [&](unsigned lane) {
    unsigned from = lane;
    inside |= Mask{source_lane<kMode>(lane, b[lane], c[lane], from)} << lane;
    exchanged |= from != lane;
    // A lane that does not take part has no value to give.
    result[lane] =
        (exchange.lanes >> from) & 1 ? static_cast<std::uint32_t>(exchange.value[from]) : poison;
  });
  warp.work.shuffles += exchanged;
  blend(to, result, mask);
  if (inst->dst2.offset != 0) write_predicate(warp, inst->dst2.offset, mask, inside);
}

enum class Vote { all, any, uni, ballot };

template <Vote kMode>
void compute_vote(Warp& warp, const Inst* inst, Mask mask, const Exchange& exchange) {
  const Mask lanes = exchange.lanes;
  const Mask votes = exchange.predicate & lanes;
  if constexpr (kMode == Vote::ballot) {
    write_lanes<std::uint32_t>(warp, inst->dst, mask, [=](unsigned) { return votes; });
  } else {
    const bool value = kMode == Vote::all   ? votes == lanes
                       : kMode == Vote::any ? votes != 0
                                            : votes == 0 || votes == lanes;
    write_predicate(warp, inst->dst.offset, mask, value ? kAllLanes : 0);
  }
}

template <bool kAll>
void compute_match(Warp& warp, const Inst* inst, Mask mask, const Exchange& exchange) {
  warp.worker->charge(kLanes);  // each lane is compared with each
  std::uint32_t* to = warp.reg<std::uint32_t>(inst->dst);
  Mask everywhere = 0;
  alignas(64) std::uint32_t result[kLanes] = {};
  for_lanes(mask, [&](unsigned lane) {
    Mask same = 0;
    for_lanes(exchange.lanes, [&](unsigned other) {
      same |= Mask{exchange.value[other] == exchange.value[lane]} << other;
    });
    if (kAll) {
      result[lane] = same == exchange.lanes ? same : 0;
      everywhere |= Mask{same == exchange.lanes} << lane;
    } else {
      result[lane] = same;
    }
  });
  blend(to, result, mask);
  if (kAll && inst->dst2.offset != 0) write_predicate(warp, inst->dst2.offset, mask, everywhere);
}

enum class Reduce { add, umin, umax, smin, smax, bit_and, bit_or, bit_xor };

template <Reduce kMode>
void compute_reduce(Warp& warp, const Inst* inst, Mask mask, const Exchange& exchange) {
  warp.work.shuffles += mask != 0;
  using I = std::int32_t;
  bool first = true;
  std::uint32_t total = 0;
  for_lanes(exchange.lanes, [&](unsigned lane) {
    const auto value = static_cast<std::uint32_t>(exchange.value[lane]);
    if (first) {
      total = value;
      first = false;
      return;
    }
    switch (kMode) {
      case Reduce::add:
        total += value;
        break;
      case Reduce::umin:
        total = std::min(total, value);
        break;
      case Reduce::umax:
        total = std::max(total, value);
        break;
      case Reduce::smin:
        total = static_cast<std::uint32_t>(std::min(static_cast<I>(total), static_cast<I>(value)));
        break;
      case Reduce::smax:
        total = static_cast<std::uint32_t>(std::max(static_cast<I>(total), static_cast<I>(value)));
        break;
      case Reduce::bit_and:
        total &= value;
        break;
      case Reduce::bit_or:
        total |= value;
        break;
      case Reduce::bit_xor:
        total ^= value;
        break;
    }
  });
  write_lanes<std::uint32_t>(warp, inst->dst, mask, [=](unsigned) { return total; });
}

void compute_elect(Warp& warp, const Inst* inst, Mask mask, const Exchange& exchange) {
  const auto leader = static_cast<std::uint32_t>(std::countr_zero(exchange.lanes));
  if (inst->flags & CollectiveFlags::kResult) {
    write_lanes<std::uint32_t>(warp, inst->dst, mask, [=](unsigned) { return leader; });
  }
  if (inst->dst2.offset != 0) write_predicate(warp, inst->dst2.offset, mask, Mask{1} << leader);
}

template <Shuffle kMode>
constexpr Collective kShuffle{publish_value<std::uint32_t>, compute_shuffle<kMode>};
template <Vote kMode>
constexpr Collective kVote{publish_predicate, compute_vote<kMode>};
template <class T, bool kAll>
constexpr Collective kMatch{publish_value<T>, compute_match<kAll>};
template <Reduce kMode>
constexpr Collective kReduce{publish_value<std::uint32_t>, compute_reduce<kMode>};

}  // namespace

constexpr Collective kSync{publish_nothing, compute_nothing};
constexpr Collective kElect{publish_nothing, compute_elect};

const Collective* shuffle_of(const Opcode& op) {
  if (ptx::bytes(op.type()) != 4) return nullptr;
  if (op.has("up")) return &kShuffle<Shuffle::up>;
  if (op.has("down")) return &kShuffle<Shuffle::down>;
  if (op.has("bfly")) return &kShuffle<Shuffle::bfly>;
  return op.has("idx") ? &kShuffle<Shuffle::idx> : nullptr;
}

const Collective* vote_of(const Opcode& op) {
  // The result is a register for .ballot and a predicate for the others: never two of them.
  if (op.has("all") + op.has("any") + op.has("uni") + op.has("ballot") != 1) return nullptr;
  if (op.has("all")) return &kVote<Vote::all>;
  if (op.has("any")) return &kVote<Vote::any>;
  return op.has("uni") ? &kVote<Vote::uni> : &kVote<Vote::ballot>;
}

const Collective* match_of(const Opcode& op) {
  const bool wide = ptx::bytes(op.type()) == 8;
  if (!wide && ptx::bytes(op.type()) != 4) return nullptr;
  if (op.has("all")) return wide ? &kMatch<std::uint64_t, true> : &kMatch<std::uint32_t, true>;
  return wide ? &kMatch<std::uint64_t, false> : &kMatch<std::uint32_t, false>;
}

const Collective* reduce_of(const Opcode& op) {
  const bool is_signed = op.type() == Type::s32;
  if (!is_signed && op.type() != Type::u32 && op.type() != Type::b32) return nullptr;
  if (op.has("add")) return &kReduce<Reduce::add>;
  if (op.has("min")) return is_signed ? &kReduce<Reduce::smin> : &kReduce<Reduce::umin>;
  if (op.has("max")) return is_signed ? &kReduce<Reduce::smax> : &kReduce<Reduce::umax>;
  if (op.has("and")) return &kReduce<Reduce::bit_and>;
  if (op.has("or")) return &kReduce<Reduce::bit_or>;
  return op.has("xor") ? &kReduce<Reduce::bit_xor> : nullptr;
}

}  // namespace tessera::sim
