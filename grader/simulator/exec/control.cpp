// Splits and joins: see the top of exec.h for the model.
#include "grader/simulator/exec/control.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/numbers.h"
#include "grader/simulator/ptx/limits.h"

namespace tessera::sim {
namespace {

int new_join(Warp& warp, Join join) {
  join.used = true;
  for (std::size_t i = 0; i < warp.joins.size(); ++i) {
    if (!warp.joins[i].used) {
      warp.joins[i] = join;
      return static_cast<int>(i);
    }
  }
  warp.joins.push_back(join);
  return static_cast<int>(warp.joins.size() - 1);
}

void end_join(Warp& warp, int index) {
  Join& join = warp.joins[static_cast<std::size_t>(index)];
  if (join.callee != nullptr) warp.worker->frames.give(join.callee);
  join = {};
}

/// Whether `place` is the next at which the running lanes meet others.
bool meets_at(const Warp& warp, const Inst* place) {
  if (warp.join == kNoJoin) return false;
  const Join& join = warp.joins[static_cast<std::size_t>(warp.join)];
  return join.at == place && join.frame == warp.frame;
}

const Inst* arrive(Warp& warp);

/// Goes on with all lanes of a complete join. Lanes that called different functions in one
/// instruction meet where the calls end.
const Inst* continue_from(Warp& warp, int index) {
  const Join join = warp.joins[static_cast<std::size_t>(index)];
  end_join(warp, index);
  warp.set_active(join.arrived);
  warp.join = join.parent;
  warp.activate(join.frame);
  return join.callee != nullptr && meets_at(warp, join.at) ? arrive(warp) : join.at;
}

/// Parks the running lanes at their join, or goes on from it if they were the last.
const Inst* arrive(Warp& warp) {
  Join& join = warp.joins[static_cast<std::size_t>(warp.join)];
  join.arrived |= warp.active;
  if (join.arrived == join.expected) return continue_from(warp, warp.join);
  warp.set_active(0);
  return nullptr;
}

/// Removes lanes from the joins from `index` up to, but without, `stop`. Joins that waited only for
/// these lanes are released.
void forsake(Warp& warp, int index, int stop, Mask lanes, bool all_gone) {
  for (int i = index; i != stop; i = warp.joins[static_cast<std::size_t>(i)].parent) {
    warp.joins[static_cast<std::size_t>(i)].expected &= ~lanes;
  }
  if (!all_gone) return;
  for (int i = index; i != stop;) {
    const Join join = warp.joins[static_cast<std::size_t>(i)];
    if (join.expected != 0) {
      if (join.arrived == join.expected) {
        end_join(warp, i);
        warp.splits.push_back({join.at, join.arrived, join.frame, join.parent});
      }
      return;
    }
    end_join(warp, i);
    i = join.parent;
  }
}

bool is_recursive(const Warp& warp) {
  for (const Frame* frame = warp.frame->caller; frame != nullptr; frame = frame->caller) {
    if (frame->function == warp.frame->function) return true;
  }
  return false;
}

[[noreturn]] void stop_endless_warp(Warp& warp, const Inst* inst) {
  warp.worker->note(
      {FindingKind::step_limit, warp.frame->function, inst->source, ""}, 1, [&](FindingNote& note) {
        const unsigned lane = static_cast<unsigned>(std::countr_zero(warp.active));
        const bool recursive = is_recursive(warp);
        note.message = say(recursive ? Phrase::endless_recursion : Phrase::endless_loop,
                           Detail(grouped(warp.worker->launch->step_limit)));
        note.hint = recursive ? Phrase::endless_recursion_hint : Phrase::endless_loop_hint;
        name_thread(note, warp, lane);
      });
  throw BlockStopped{};
}

void look_at_limits(Warp& warp, const Inst* inst) {
  const std::uint64_t limit = warp.worker->launch->step_limit;
  if (limit != 0 && warp.steps > limit) stop_endless_warp(warp, inst);
  settle_steps(warp, warp.frame->function, inst->source);
  warp.next_look = warp.steps + kStepsBetweenLooks;
  if (limit != 0) warp.next_look = std::min(warp.next_look, limit + 1);
}

/// Called on every backward branch: ends endless loops, and lets others run while this split spins.
bool turn_is_over(Warp& warp, const Inst* inst) {
  check_steps(warp, inst);  // here too, as a turn may never be spent in a loop with a barrier
  if (!turn_is_spent(warp)) return false;
  std::uint64_t& patience = warp.block->patience;
  if (warp.steps - warp.patience_start > patience) {
    warp.patience_start = warp.steps;
    if (release_parked(warp)) {
      warp.block->patience_ended = true;
      patience = std::max(patience / 16, warp.worker->launch->least_patience());
    }
  }
  // Turns get shorter: a warp that waits for another one again and again waits a whole turn each
  // time.
  if (warps_fall(warp.worker->launch->turns) && patience > kLeastLongTurn)
    patience = std::max(patience / 2, kLeastLongTurn);
  return true;
}

const Inst* go_to(Warp& warp, const Inst* inst, const Inst* target) {
  if (target <= inst && turn_is_over(warp, inst)) {
    warp.park(target, SplitState::ready);
    return nullptr;
  }
  return target;
}

/// The join at which the two sides of the branch `inst` meet: the running join if it is at that
/// place, else a new one.
int join_for(Warp& warp, const Inst* inst) {
  if (inst->reconverge == kNoReconvergence) return warp.join;
  const Inst* at = warp.code + inst->reconverge;
  if (meets_at(warp, at)) return warp.join;
  return new_join(warp,
                  {.at = at, .frame = warp.frame, .expected = warp.active, .parent = warp.join});
}

}  // namespace

void stop_with_trap(Warp& warp, const Inst* inst, Text message, Text hint,
                    std::optional<unsigned> lane) {
  warp.worker->note({FindingKind::trap, warp.frame->function, inst->source, ""}, 1,
                    [&](FindingNote& note) {
                      note.message = std::move(message);
                      note.hint = std::move(hint);
                      if (lane)
                        note.example.emplace_back("thread", to_string(thread_of(warp, *lane)));
                      note.example.emplace_back("block", to_string(warp.block->id));
                    });
  throw BlockStopped{};
}

bool turn_is_spent(const Warp& warp) {
  const std::uint64_t patience = warp.block->patience;
  std::uint64_t most = std::min(kTimeSlice, patience);
  if (warps_fall(warp.worker->launch->turns)) most = std::max(kLeastLongTurn, patience);
  if (warp.worker->launch->turns == Turns::single) most = 1;
  if (warp.worker->launch->turns == Turns::drawn) most = warp.block->drawn_turn;
  return warp.steps - warp.slice_start >= most;
}

void end_turn(Warp& warp) {
  warp.slice_start = warp.steps - kTimeSlice - kPatience;  // wraps around, as the difference does
}

void check_steps(Warp& warp, const Inst* inst) {
  if (warp.steps >= warp.next_look || warp.worker->charges >= kStepsBetweenLooks)
    look_at_limits(warp, inst);
}

void settle_steps(Warp& warp, const Function* function, std::uint32_t source) {
  Worker& worker = *warp.worker;
  const std::uint64_t more = warp.steps - warp.settled + worker.charges;
  warp.settled = warp.steps;
  worker.charges = 0;
  const std::uint64_t limit = worker.launch->launch_step_limit;
  const std::uint64_t spent =
      worker.launch->spent.fetch_add(more, std::memory_order_relaxed) + more;
  if (limit == 0 || spent <= limit) return;
  worker.note({FindingKind::step_limit, function, source, "launch"}, 1, [&](FindingNote& note) {
    note.message = say(Phrase::too_much_work, Detail(grouped(limit)));
    note.hint = Phrase::too_much_work_hint;
    note.example.emplace_back("block", to_string(warp.block->id));
  });
  throw BlockStopped{};
}

void Warp::set_active(Mask lanes) {
  lane_steps += (steps - active_since) * static_cast<unsigned>(std::popcount(active));
  active_since = steps;
  active = lanes;
}

void Warp::activate(Frame* to) {
  frame = to;
  base[0] = to->registers;
  base[1] = to->function->constants.data();
  predicates = to->predicates.data();
  code = to->function->code.data();
}

void Warp::leave_others(const Inst* inst, Mask mask) {
  if (mask == active) return;
  splits.push_back({inst + 1, active & ~mask, frame, join});
  set_active(mask);
}

void Warp::park(const Inst* next, SplitState state) {
  const Inst* const from = state == SplitState::ready ? branch : nullptr;
  splits.push_back({next, active, frame, join, state, from});
  set_active(0);
}

bool Warp::ready() const {
  return std::any_of(splits.begin(), splits.end(),
                     [](const Split& split) { return split.state == SplitState::ready; });
}

const Inst* join_point(Warp& warp, const Inst* inst, Mask) {
  --warp.steps;
  return meets_at(warp, inst) ? arrive(warp) : inst + 1;
}

const Inst* branch(Warp& warp, const Inst* inst, Mask mask) {
  if (inst->guard != 0) {
    ++warp.work.branches;
    warp.branch = inst;
  }
  const Inst* target = warp.code + inst->target;
  const Mask rest = warp.active & ~mask;
  if (mask != 0 && rest == 0) return go_to(warp, inst, target);
  if (mask == 0) return inst + 1;
  if (inst->flags & BranchFlags::kUniform)
    stop_with_trap(warp, inst, Phrase::uniform_branch_parts, Phrase::uniform_branch_parts_hint);
  warp.join = join_for(warp, inst);
  // The lanes that fall through run first; those of a loop come back to a join that waits for them.
  warp.splits.push_back({target, mask, warp.frame, warp.join, SplitState::ready, inst});
  warp.set_active(rest);
  return inst + 1;
}

const Inst* branch_indexed(Warp& warp, const Inst* inst, Mask mask) {
  ++warp.work.branches;
  warp.branch = inst;
  if (mask == 0) return inst + 1;
  const std::uint32_t* index = warp.reg<std::uint32_t>(inst->a);
  const std::vector<std::uint32_t>& targets = warp.frame->function->lists[inst->extra].targets;
  for_lanes(mask, [&](unsigned lane) {
    if (index[lane] >= targets.size())
      stop_with_trap(warp, inst, say(Phrase::past_branch_table, targets.size()),
                     Phrase::past_branch_table_hint, lane);
  });
  const auto target_of = [&](unsigned lane) { return targets[index[lane]]; };
  const std::uint32_t first = target_of(static_cast<unsigned>(std::countr_zero(mask)));
  Mask same = 0;
  for_lanes(mask, [&](unsigned lane) { same |= Mask{target_of(lane) == first} << lane; });
  const Mask rest = warp.active & ~same;
  if (rest == 0) return go_to(warp, inst, warp.code + first);
  warp.join = join_for(warp, inst);
  // Lanes with other targets execute the instruction again; lanes that the guard held back fall
  // through.
  const Mask again = mask & ~same;
  if (again != 0) warp.splits.push_back({inst, again, warp.frame, warp.join});
  if (rest & ~again) warp.splits.push_back({inst + 1, rest & ~again, warp.frame, warp.join});
  warp.set_active(same);
  return warp.code + first;
}

namespace {

void copy_arguments(Warp& warp, const List& list, Frame* callee, Mask mask) {
  const Function& function = *callee->function;
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    const ParamSlot& formal = function.parameters[p];
    const std::uint32_t from = list.refs[list.returns + p].offset;
    for_lanes(mask, [&](unsigned lane) {
      std::memcpy(callee->parameter(lane, formal.offset), warp.frame->parameter(lane, from),
                  formal.size);
    });
  }
}

void copy_results(Frame* callee, Mask mask) {
  Frame* caller = callee->caller;
  const List& list = caller->function->lists[callee->call->extra];
  for (std::size_t r = 0; r < callee->function->returns.size(); ++r) {
    const ParamSlot& formal = callee->function->returns[r];
    const std::uint32_t to = list.refs[r].offset;
    for_lanes(mask, [&](unsigned lane) {
      std::memcpy(caller->parameter(lane, to), callee->parameter(lane, formal.offset), formal.size);
    });
  }
}

void reserve_local(Warp& warp, const Frame& frame) {
  const std::uint64_t need = round_up(frame.local_base + frame.function->local_bytes, 16);
  if (need <= warp.local_stride) return;
  const std::uint64_t stride = std::max<std::uint64_t>(need, 2 * warp.local_stride);
  const auto grow = [&](auto& bytes, auto& grown) {
    for (unsigned lane = 0; lane < kLanes && warp.local_stride != 0; ++lane) {
      std::memcpy(&grown[lane * stride], &bytes[lane * warp.local_stride], warp.local_stride);
    }
    bytes = std::move(grown);
  };
  std::vector<std::byte> local(stride * kLanes);
  fill_with_poison(local, warp.worker->launch->poison);
  grow(warp.local, local);
  std::vector<std::uint8_t> written(stride * kLanes);
  grow(warp.local_written, written);
  warp.local_stride = stride;
  warp.worker->charge_bytes(4 * stride * kLanes);
}

[[noreturn]] void stop_at_overflow(Warp& warp, const Inst* inst, const Function& callee) {
  warp.worker->note({FindingKind::out_of_bounds, warp.frame->function, inst->source, "stack"}, 1,
                    [&](FindingNote& note) {
                      note.message =
                          say(Phrase::stack_overflow, Name{callee.title}, warp.frame->depth);
                      note.hint = Phrase::stack_overflow_hint;
                      note.example.emplace_back("block", to_string(warp.block->id));
                    });
  throw BlockStopped{};
}

/// A frame for the callee. Ends the launch if the stack or the worker's memory has no room for it.
Frame* callee_frame(Warp& warp, const Inst* inst, const Function& callee) {
  Worker& worker = *warp.worker;
  const std::uint64_t stack = warp.frame->local_base_of(callee) + callee.local_bytes;
  // A driver knows how much stack calls need unless they recurse, and they do if they are deeper
  // than there are functions.
  const bool recurses = warp.frame->depth > worker.launch->module->functions.size();
  const std::uint64_t recursion =
      warp.frame->saved_bytes + warp.frame->function->least_frame_bytes + stack;
  if (warp.frame->depth >= kMaxCallDepth || stack > ptx::kMaxLocalBytes ||
      (recurses && recursion > kRecursionBytes))
    stop_at_overflow(warp, inst, callee);
  require_local_bytes(worker, callee, stack);
  Frame* frame = worker.frames.take();
  if (!worker.frames.has_room(*frame, callee)) stop_at_overflow(warp, inst, callee);
  worker.frames.enter(*frame, callee, warp.frame, inst, worker.launch->poison);
  worker.charge_bytes(Frame::bytes_of(callee) + std::uint64_t{callee.local_bytes} * kLanes);
  return frame;
}

const Inst* enter_function(Warp& warp, const Inst* inst, Mask mask, const Function& function) {
  check_steps(warp, inst);
  Frame* callee = callee_frame(warp, inst, function);
  reserve_local(warp, *callee);
  for_lanes(mask, [&](unsigned lane) {
    const std::size_t base = lane * warp.local_stride + callee->local_base;
    std::fill_n(warp.local_written.begin() + static_cast<std::ptrdiff_t>(base),
                function.local_bytes, std::uint8_t{0});
  });
  copy_arguments(warp, warp.frame->function->lists[inst->extra], callee, mask);
  warp.join = new_join(warp, {.at = inst + 1,
                              .frame = warp.frame,
                              .expected = warp.active,
                              .arrived = warp.active & ~mask,
                              .parent = warp.join,
                              .callee = callee});
  warp.set_active(mask);
  warp.activate(callee);
  return warp.code;
}

[[noreturn]] void stop_at_wild_call(Warp& warp, const Inst* inst, Text message) {
  warp.worker->note({FindingKind::trap, warp.frame->function, inst->source, ""}, 1,
                    [&](FindingNote& note) {
                      note.message = std::move(message);
                      note.hint = Phrase::wild_call_hint;
                    });
  throw BlockStopped{};
}

/// The function with that number. Stops the launch if it is none of those of which it is known what
/// they use.
const Function& known_function(Warp& warp, const Inst* inst, std::uint64_t index) {
  const Launch& launch = *warp.worker->launch;
  const Function& function = launch.module->functions[index];
  if (!std::ranges::binary_search(launch.functions, index))
    stop_at_wild_call(warp, inst, say(Phrase::calls_by_number, Name{function.title}));
  return function;
}

/// The function at `address`. Stops the launch if there is none, or if the call's slots do not fit.
const Function& called_function(Warp& warp, const Inst* inst, std::uint64_t address) {
  const auto& functions = warp.worker->launch->module->functions;
  const std::uint64_t index = (address - kCodeWindow) / kCodeBytes;
  if (address < kCodeWindow || address % kCodeBytes != 0 || index >= functions.size() ||
      !functions[index].defined || functions[index].entry) {
    stop_at_wild_call(warp, inst,
                      say(Phrase::calls_no_function, Detail(fmt::format("{:#x}", address))));
  }
  const Function& function = known_function(warp, inst, index);
  if (!slots_fit(warp.frame->function->lists[inst->extra], function))
    stop_at_wild_call(warp, inst, say(Phrase::calls_other_parameters, Name{function.title}));
  return function;
}

}  // namespace

bool slots_fit(const List& slots, const Function& callee) {
  const auto same = [](std::uint32_t size, const ParamSlot& formal) { return size == formal.size; };
  const auto arguments = slots.sizes.begin() + slots.returns;
  return std::equal(slots.sizes.begin(), arguments, callee.returns.begin(), callee.returns.end(),
                    same) &&
         std::equal(arguments, slots.sizes.end(), callee.parameters.begin(),
                    callee.parameters.end(), same);
}

const Inst* call_function(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  return enter_function(warp, inst, mask, known_function(warp, inst, inst->target));
}

const Inst* call_indirect(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  const std::uint64_t* address = warp.reg<std::uint64_t>(inst->a);
  const std::uint64_t first = address[std::countr_zero(mask)];
  Mask same = 0;
  for_lanes(mask, [&](unsigned lane) { same |= Mask{address[lane] == first} << lane; });
  const Function& function = called_function(warp, inst, first);
  if (same != mask) {
    // Lanes with other targets execute the call again, and all lanes meet after it.
    if (!meets_at(warp, inst + 1)) {
      warp.join = new_join(
          warp,
          {.at = inst + 1, .frame = warp.frame, .expected = warp.active, .parent = warp.join});
    }
    warp.joins[static_cast<std::size_t>(warp.join)].arrived |= warp.active & ~mask;
    warp.splits.push_back({inst, mask & ~same, warp.frame, warp.join});
    warp.set_active(same);
  }
  return enter_function(warp, inst, same, function);
}

const Inst* return_from(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  Frame* callee = warp.frame;
  if (callee->caller == nullptr) return exit_thread(warp, inst, mask);
  copy_results(callee, mask);
  int call_join = warp.join;
  // Such a join exists, as the lanes of a call wait for each other in it; .at() makes sure.
  while (warp.joins.at(static_cast<std::size_t>(call_join)).callee != callee) {
    call_join = warp.joins[static_cast<std::size_t>(call_join)].parent;
  }
  const bool all = mask == warp.active;
  forsake(warp, warp.join, call_join, mask, all);
  Join& join = warp.joins[static_cast<std::size_t>(call_join)];
  join.arrived |= mask;
  if (!all) {
    warp.set_active(warp.active & ~mask);
    return inst + 1;
  }
  if (join.arrived == join.expected) return continue_from(warp, call_join);
  warp.set_active(0);
  return nullptr;
}

const Inst* exit_thread(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  const bool all = mask == warp.active;
  const Inst* from = inst->guard != 0 ? inst : warp.branch;
  for_lanes(mask, [&](unsigned lane) {
    warp.left_from[lane] = from;
    warp.ended_in[lane] = warp.worker->history.epoch;
  });
  warp.live &= ~mask;
  warp.block->live_threads -= static_cast<std::uint32_t>(std::popcount(mask));
  forsake(warp, warp.join, kNoJoin, mask, all);
  warp.set_active(warp.active & ~mask);
  complete_barriers(*warp.worker);
  retry_collectives(warp);
  return all ? nullptr : inst + 1;
}

const Inst* trap(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  stop_with_trap(warp, inst, Phrase::trapped, Phrase::trapped_hint,
                 static_cast<unsigned>(std::countr_zero(mask)));
}

void stop_as_unsupported(Worker& worker, const Function& function, std::uint32_t source,
                         const std::string& subject, const Text& message) {
  worker.note({FindingKind::unsupported_instruction, &function, source, subject}, 1,
              [&](FindingNote& note) {
                note.message = message;
                note.hint = Phrase::needs_review;
              });
  throw BlockStopped{true};
}

void require_local_bytes(Worker& worker, const Function& function, std::uint64_t bytes) {
  if (bytes * worker.block.threads > kMaxLocalBytes)
    stop_as_unsupported(worker, function, 0, "stack",
                        say(Phrase::locals_too_large, Name{function.title}, bytes));
}

const Inst* unsupported(Warp& warp, const Inst* inst, Mask mask) {
  if (mask == 0) return inst + 1;
  const Function& function = *warp.frame->function;
  const std::string& text = function.texts[inst->source];
  stop_as_unsupported(
      *warp.worker, function, inst->source, text,
      say(Phrase::unknown_instruction, Name{text}, function.ptx_lines[inst->source]));
}

bool release_parked(Warp& warp) {
  bool released = false;
  for (Join& join : warp.joins) {
    if (!join.used || join.arrived == 0) continue;
    warp.splits.push_back({join.at, join.arrived, join.frame, join.parent});
    join.expected &= ~join.arrived;
    join.arrived = 0;
    released = true;
  }
  // No lane is left to meet at these.
  for (std::size_t i = 0; i < warp.joins.size(); ++i) {
    if (warp.joins[i].used && warp.joins[i].expected == 0) end_join(warp, static_cast<int>(i));
  }
  return released;
}

}  // namespace tessera::sim
