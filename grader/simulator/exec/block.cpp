// Runs the warps of one block in turns until all threads have exited.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "common/mixed.h"
#include "common/numbers.h"
#include "grader/simulator/exec/control.h"
#include "grader/simulator/exec/mbarriers.h"

namespace tessera::sim {
namespace {

void run_watched(Warp& warp, const Inst* inst) {
  while (inst != nullptr) {
    ++warp.steps;
    const Mask mask = warp.active & (warp.predicates[inst->guard] ^ inst->guard_flip);
    warp.worker->watcher->step(warp, inst, mask);
    inst = inst->run(warp, inst, mask);
  }
}

/// Looks at the registers of each instruction, which may belong to a running product.
void run_beside_products(Warp& warp, const Inst* inst) {
  while (inst != nullptr) {
    ++warp.steps;
    const Mask mask = warp.active & (warp.predicates[inst->guard] ^ inst->guard_flip);
    if (warp.products.running()) check_registers(warp, inst, mask);
    inst = inst->run(warp, inst, mask);
  }
}

/// Stops as soon as the turn is over, not only at branches.
void run_to_the_instruction(Warp& warp, const Inst* inst) {
  const bool by_talks = warp.worker->launch->turns == Turns::blocks;
  do {
    ++warp.steps;
    if (by_talks && inst->talks && --warp.block->drawn_turn == 0) end_turn(warp);
    inst = inst->run(warp, inst, warp.active & (warp.predicates[inst->guard] ^ inst->guard_flip));
  } while (inst != nullptr && !turn_is_spent(warp));
  if (inst != nullptr) warp.park(inst, SplitState::ready);
}

/// The length of a block's next turn. With Turns::drawn it is a number of instructions from 1 to
/// kPatience; all powers of two are equally likely. With Turns::blocks it is a number of accesses
/// by which threads talk, most often 1.
std::uint64_t drawn_turn(const Launch& launch, Block& block) {
  const std::uint64_t number = drawn(launch.key ^ mixed(block.index), ++block.turns);
  if (launch.turns == Turns::blocks) return number % 4 != 0 ? 1 : 2 + number / 4 % 3;
  return std::uint64_t{1} << number % std::bit_width(kPatience);
}

bool is_drawn(Turns turns) {
  return turns == Turns::drawn || turns == Turns::blocks;
}

void run_split(Warp& warp, std::size_t index) {
  const Split split = warp.splits[index];
  warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(index));
  warp.set_active(split.mask);
  warp.join = split.join;
  warp.activate(split.frame);
  const Inst* inst = split.next;
  warp.branch = split.from;
  if (warp.worker->watcher != nullptr) return run_watched(warp, inst);
  const Turns turns = warp.worker->launch->turns;
  if (turns == Turns::single || is_drawn(turns)) return run_to_the_instruction(warp, inst);
  if (warp.worker->launch->async_products) return run_beside_products(warp, inst);
  while (inst != nullptr) {
    ++warp.steps;
    inst = inst->run(warp, inst, warp.active & (warp.predicates[inst->guard] ^ inst->guard_flip));
  }
}

/// Runs the warp until it waits, ends, or its turn is over. Returns false if no split was ready.
bool take_turn(Warp& warp) {
  bool ran = false;
  warp.slice_start = warp.steps;
  const Launch& launch = *warp.worker->launch;
  if (is_drawn(launch.turns)) warp.block->drawn_turn = drawn_turn(launch, *warp.block);
  while (!turn_is_spent(warp)) {
    std::size_t next = 0;
    while (next < warp.splits.size() && warp.splits[next].state != SplitState::ready) ++next;
    if (next == warp.splits.size()) break;
    run_split(warp, next);
    ran = true;
  }
  return ran;
}

Mask lanes_of(const Block& block, unsigned warp) {
  const std::uint32_t rest = block.threads - warp * kLanes;
  return rest >= kLanes ? kAllLanes : (Mask{1} << rest) - 1;
}

void start_warp(Worker& worker, Warp& warp) {
  const Launch& launch = *worker.launch;
  Block& block = worker.block;
  warp.worker = &worker;
  warp.block = &block;
  warp.steps = warp.slice_start = warp.patience_start = 0;
  warp.asleep_until = 0;
  warp.lane_steps = warp.active_since = 0;
  warp.settled = warp.next_look = 0;
  warp.work = {};
  warp.arrived_at = {};
  warp.copies.clear();
  warp.products.clear();
  warp.carry = static_cast<Mask>(drawn(launch.readable_key, warp.index));
  warp.sync_count = warp.full_sync = 0;
  warp.full_sync_time = 0;
  warp.known.clear();
  warp.known_row = {};
  warp.branch = nullptr;
  warp.failed_waits = {};
  warp.answered = false;
  warp.all = warp.live = lanes_of(block, warp.index);
  warp.active = 0;
  warp.splits.clear();
  warp.joins.clear();
  require_local_bytes(worker, *launch.kernel, launch.kernel->local_bytes);
  if (!worker.frames.has_room(warp.root, *launch.kernel))
    stop_as_unsupported(worker, *launch.kernel, 0, "registers",
                        say(Phrase::too_many_registers, Name{launch.kernel->title}));
  worker.frames.enter(warp.root, *launch.kernel, nullptr, nullptr, launch.poison);
  const std::size_t bytes = launch.arguments.size();
  if (bytes > launch.kernel->parameter_bytes)
    throw std::logic_error("more arguments than the kernel has room for");
  for (unsigned lane = 0; lane < kLanes && bytes != 0; ++lane) {
    std::memcpy(warp.root.parameter(lane, 0), launch.arguments.data(), bytes);
  }
  const std::uint64_t local = round_up(launch.kernel->local_bytes, 16);
  warp.local_stride = local;
  warp.local.resize(warp.local_stride * kLanes);
  fill_with_poison(warp.local, launch.poison);
  warp.local_written.assign(warp.local.size(), 0);
  worker.charge(kStepsOfWarp);
  worker.charge_bytes(Frame::bytes_of(*launch.kernel) + 2 * warp.local.size());
  warp.activate(&warp.root);
  const Inst* first = launch.kernel->code.data();
  if (!lanes_run_apart(launch.turns)) return warp.splits.push_back({first, warp.live, &warp.root});
  for (unsigned place = 0; place < kLanes; ++place) {
    const unsigned lane = launch.turns == Turns::lanes ? kLanes - 1 - place : place;
    if ((warp.live >> lane) & 1) warp.splits.push_back({first, Mask{1} << lane, &warp.root});
  }
}

void prepare_warps(Worker& worker) {
  Block& block = worker.block;
  const Dim3 shape = worker.launch->shape.block;
  block.threads = static_cast<std::uint32_t>(shape.count());
  block.warps.resize((block.threads + kLanes - 1) / kLanes);
  for (unsigned w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    warp.index = w;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t linear = w * kLanes + lane;
      warp.thread[0][lane] = linear % shape.x;
      warp.thread[1][lane] = linear / shape.x % shape.y;
      warp.thread[2][lane] = linear / shape.x / shape.y;
    }
  }
}

/// With Turns::drawn, the warp that gets no turn for the time being; nullptr if there is none. It
/// is drawn when an epoch starts.
Warp* held_warp(const Launch& launch, Block& block, std::uint32_t epoch) {
  if (launch.turns != Turns::drawn || launch.hold == 0) return nullptr;
  const auto most = [&](const auto& instructions) {
    std::uint64_t all = 0;
    for (const Warp& warp : block.warps) all = std::max(all, instructions(warp));
    return all;
  };
  if (block.held_in != epoch) {
    block.held_in = epoch;
    // Other warps may spin for that long, and need steps for what they do afterwards.
    const std::uint64_t longest = most([](const Warp& warp) { return warp.steps; });
    if (launch.step_limit != 0 && longest + launch.hold > launch.step_limit / 2) return nullptr;
    const std::uint64_t number = drawn(launch.key ^ mixed(block.index), std::uint64_t{epoch} << 32);
    block.held = &block.warps[number % block.warps.size()];
    for (Warp& warp : block.warps) warp.held_at = warp.steps;
  }
  if (block.held != nullptr &&
      most([](const Warp& warp) { return warp.steps - warp.held_at; }) >= launch.hold)
    block.held = nullptr;
  return block.held;
}

/// If warps are asleep, time goes on to the moment when the next one wakes. Returns whether one
/// was.
bool wake_next(Block& block) {
  std::uint64_t next = 0;
  for (const Warp& warp : block.warps) {
    if (warp.asleep_until > block.time && (next == 0 || warp.asleep_until < next))
      next = warp.asleep_until;
  }
  if (next != 0) block.time = next;
  return next != 0;
}

}  // namespace

Dim3 block_id(std::uint64_t index, Dim3 grid) {
  return {static_cast<std::uint32_t>(index % grid.x),
          static_cast<std::uint32_t>(index / grid.x % grid.y),
          static_cast<std::uint32_t>(index / grid.x / grid.y)};
}

Dim3 thread_of(const Warp& warp, unsigned lane) {
  return {warp.thread[0][lane], warp.thread[1][lane], warp.thread[2][lane]};
}

std::string to_string(Dim3 id) {
  return fmt::format("({}, {}, {})", id.x, id.y, id.z);
}

void name_thread(FindingNote& note, const Warp& warp, unsigned lane) {
  note.example.emplace_back("thread", to_string(thread_of(warp, lane)));
  note.example.emplace_back("block", to_string(warp.block->id));
}

void Worker::run_block(std::uint64_t index) {
  start_block(index);
  while (take_turns()) {
  }
  end_block();
}

void Worker::start_block(std::uint64_t index) {
  if (block.warps.empty()) prepare_warps(*this);
  block.index = index;
  block.id = block_id(index, launch->shape.grid);
  block.barriers = {};
  block.patience = launch->patience();
  block.turns = 0;
  block.time = 0;
  block.held = nullptr;
  block.patience_ended = false;
  block.diverged = false;
  block.early_returns.clear();
  block.live_threads = block.threads;
  block.copies = block.copy_arrivals = block.answers = 0;
  block.warpgroups.clear();
  frames.give_all();
  fill_with_poison(shared, launch->poison);
  charge_bytes(shared.size());
  history.start_block();
  if (repeated) repeated->start_block();
  if (launch->fences) history.order.start_block(block.threads);
  if (launch->async_products) history.proxy_fences.start_block(block.threads);
  for (Warp& warp : block.warps) start_warp(*this, warp);
}

bool Worker::take_turns() {
  if (block.live_threads == 0) return false;
  const bool falling = launch->turns == Turns::blocks ? (drawn(launch->key, block.index) & 1) != 0
                                                      : warps_fall(launch->turns);
  const Warp* const held = held_warp(*launch, block, history.epoch);
  bool ran = false;
  std::uint64_t longest = 0;
  for (std::size_t turn = 0; turn < block.warps.size(); ++turn) {
    Warp& warp = block.warps[falling ? block.warps.size() - 1 - turn : turn];
    if (&warp == held || warp.asleep_until > block.time) continue;
    const std::uint64_t before = warp.steps;
    ran |= take_turn(warp);
    longest = std::max(longest, warp.steps - before);
  }
  block.time += longest;
  if (ran || wake_next(block)) return true;
  if (held != nullptr) {  // all others wait, perhaps for it
    block.held = nullptr;
    return true;
  }
  if (land_awaited_copies(*this)) return true;
  bool released = false;
  for (Warp& warp : block.warps) released |= release_parked(warp);
  if (!released && !answer_waits(*this)) report_deadlock(*this);
  return true;
}

void Worker::end_block() {
  end_epoch();
  if (launch->fences) charge(history.order.work() / kFlagsOfStep);
  note_copies_never_waited_for(*this);
  note_products_at_end(*this);
  for (Warp& warp : block.warps) settle_steps(warp, launch->kernel, 0);
  for (Warp& warp : block.warps) {
    warp.work.instructions = warp.steps;
    warp.work.lane_instructions = warp.lane_steps;
    counts.add_warp(warp.work);
  }
}

void report_deadlock(Worker& worker) {
  const Split* first = nullptr;
  Warp* first_warp = nullptr;
  const Split* other = nullptr;
  Warp* other_warp = nullptr;
  std::uint32_t waiting = 0;
  for (Warp& warp : worker.block.warps) {
    for (const Split& split : warp.splits) {
      waiting += static_cast<std::uint32_t>(std::popcount(split.mask));
      if (first == nullptr) {
        first = &split;
        first_warp = &warp;
      } else if (other == nullptr && split.next != first->next) {
        other = &split;
        other_warp = &warp;
      }
    }
  }
  if (first == nullptr) throw BlockStopped{true};
  if (worker.block.diverged) throw BlockStopped{};
  const Function& function = *first->frame->function;
  const auto describe = [](Warp& warp, const Split& split) {
    const ptx::Location& at = split.frame->function->locations[split.next->source];
    const SourceLine line{at.inlined_line != 0 ? at.inlined_line : at.line};
    if (split.state == SplitState::at_barrier)
      return say(Phrase::wait_for_barrier, line, split.barrier);
    if (split.state == SplitState::at_mbarrier) {
      warp.activate(split.frame);
      const auto lane = static_cast<unsigned>(std::countr_zero(split.mask));
      return say(Phrase::wait_for_mbarrier, line,
                 Count{arrivals_missing(warp, split.next, lane), Phrase::arrival});
    }
    return say(Phrase::wait_for_lanes, line, Detail(fmt::format("{:#010x}", split.members)));
  };
  // Lanes that a warp-wide function names but that never come are a finding of another kind.
  const bool lanes_missing = first->state == SplitState::at_collective ||
                             (other != nullptr && other->state == SplitState::at_collective);
  const FindingKind kind =
      lanes_missing ? FindingKind::divergent_barrier : FindingKind::barrier_deadlock;
  worker.note({kind, &function, first->next->source, "deadlock"}, 1, [&](FindingNote& note) {
    note.message =
        say(waiting == 1 ? Phrase::thread_waits : Phrase::threads_wait, Detail(grouped(waiting))) +
        describe(*first_warp, *first);
    if (other != nullptr) note.message += Text(Phrase::others_wait) + describe(*other_warp, *other);
    note.hint = first->state == SplitState::at_mbarrier ? Phrase::mbarrier_deadlock_hint
                                                        : Phrase::deadlock_hint;
    const unsigned lane = static_cast<unsigned>(std::countr_zero(first->mask));
    name_thread(note, *first_warp, lane);
  });
  throw BlockStopped{};
}

}  // namespace tessera::sim
