#include "grader/simulator/timing/load_use.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "grader/simulator/exec/ops_memory.h"
#include "grader/simulator/exec/ops_tensor.h"
#include "grader/simulator/timing/timing.h"

namespace tessera::sim {
namespace {

/// Whether lanes of `mask` load from global memory.
bool loads_global(Warp& warp, const Inst* inst, Mask mask, const InstTiming& timing) {
  if (timing.kind != InstructionClass::memory || timing.store || timing.atomic) return false;
  if (timing.space != ptx::Space::generic) return timing.space == ptx::Space::global;
  return split_by_space(lane_addresses(warp, inst), 0, mask).global != 0;
}

/// Whether ptxas moves no load from global memory up across the instruction.
bool holds_loads(const InstTiming& timing) {
  if (timing.kind == InstructionClass::barrier || timing.kind == InstructionClass::control)
    return true;
  const bool changes = timing.store || timing.atomic;
  return timing.kind == InstructionClass::memory && changes &&
         (timing.space == ptx::Space::global || timing.space == ptx::Space::generic);
}

}  // namespace

std::uint64_t usual_distance(const BytesByDistance& bytes) {
  const std::uint64_t total = std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
  if (total == 0) return 0;
  std::uint64_t shorter = 0;
  std::uint64_t distance = 0;
  while (distance + 1 < bytes.size() && 2 * (shorter + bytes[distance]) < total)
    shorter += bytes[distance++];
  return distance;
}

LoadUse::LoadUse(std::uint64_t, Dim3 threads) : warps_((threads.count() + kLanes - 1) / kLanes) {
}

LoadUse::Load LoadUse::load_of(const Warp& warp, std::uint64_t bytes) const {
  return {.step = warps_[warp.index].steps,
          .bytes = bytes,
          .own_work = work_of(warp),
          .known_work = known_work(warp)};
}

std::uint64_t LoadUse::earliest(const Warp& warp, const InstTiming& timing) const {
  const OfWarp& own = warps_[warp.index];
  std::uint64_t work = own.free_since;
  for (const std::uint32_t reg : timing.reads) work = std::max(work, own.written[reg]);
  return work;
}

void LoadUse::count(std::uint64_t distance, std::uint64_t bytes) {
  bytes_[std::min<std::uint64_t>(distance, bytes_.size() - 1)] += bytes;
}

void LoadUse::count_ended(Ended& ended, std::uint64_t work) {
  for (const auto& [known, bytes] : ended) count(work > known ? work - known : 0, bytes);
  ended.clear();
}

void LoadUse::count_need(const Warp& warp, Load load, Ended& of_others) {
  if (const std::uint64_t work = work_of(warp); work != 0)
    count(work - load.own_work, load.bytes);
  else
    of_others[load.known_work] += load.bytes;
  for (Load& other : warps_[warp.index].loads) {
    if (other.step == load.step) other = {};
  }
}

void LoadUse::copy(Warp& warp, const Inst* inst, Mask mask) {
  OfWarp& own = warps_[warp.index];
  if (inst->run == begin_copy) {
    const auto lanes = static_cast<std::uint64_t>(std::popcount(mask));
    return own.copies.begin(load_of(warp, lanes * inst->size));
  }
  own.copies.pass(*inst, [&](const Load& load) { count_need(warp, load, own.ended); });
}

void LoadUse::lane_arrives(Warp& warp, std::uint64_t at) {
  Phase& phase = phases_[at];
  phase.known_work = std::max(phase.known_work, known_work(warp));
  for (const auto& [known, bytes] : warps_[warp.index].ended) phase.ended[known] += bytes;
  warps_[warp.index].ended.clear();
}

void LoadUse::copies_arrive(Warp& warp, std::uint32_t begun, std::uint64_t at) {
  warps_[warp.index].copies.pass_before(
      begun, [&](const Load& load) { count_need(warp, load, phases_[at].ended); });
}

void LoadUse::wait_ends(Warp& warp, std::uint64_t at) {
  Phase& phase = phases_[at];
  OfWarp& own = warps_[warp.index];
  own.known_work = std::max(own.known_work, phase.known_work);
  // A warp without arithmetic may wait for the same phase, but needs nothing of it.
  if (work_of(warp) != 0 || own.known_work == 0) count_ended(phase.ended, work_of(warp));
}

void LoadUse::leave_barrier(const Warp& warp) {
  OfWarp& own = warps_[warp.index];
  own.at_barrier = false;
  own.known_work = std::max(own.known_work, known_at_barrier_[own.barriers % 2]);
  count_ended(own.ended, own.known_work);
}

void LoadUse::step(Warp& warp, const Inst* inst, Mask mask) {
  const Function& function = *warp.frame->function;
  const KnownTiming known = known_timing(function, inst);
  if (known.timing == nullptr) return;
  const InstTiming& timing = *known.timing;
  OfWarp& own = warps_[warp.index];
  if (own.at_barrier) leave_barrier(warp);
  // The warp has begun to compute: these were needed at once.
  if (!own.ended.empty() && work_of(warp) != 0) count_ended(own.ended, 0);
  const bool is_access = !timing.pieces ? known.last : is_fragment_access(*inst);
  if (mask != 0 && is_access && loads_global(warp, inst, mask, timing)) {
    const unsigned width = timing.pieces ? inst->size * inst->count : timing.width;
    own.loading += static_cast<std::uint64_t>(std::popcount(mask)) * width;
  }
  if (!known.last) return;
  ++own.steps;
  if (own.function != &function) {  // a call or a return, which waits for what is on its way
    for (std::size_t i = 0; i < own.loads.size(); ++i) {
      if (own.loads[i].step != 0) count_need(warp, own.loads[i], own.ended);
    }
    own.function = &function;
    own.loads.assign(function.timing.registers, {});
    own.written.assign(function.timing.registers, work_of(warp));
    own.free_since = work_of(warp);
  }
  if (timing.starts_block || holds_loads(timing)) own.free_since = work_of(warp);
  if (mask == 0) return;
  if (inst->run == barrier && (inst->flags & BarrierFlags::kCounted) == 0) {
    std::uint64_t& known = known_at_barrier_[++own.barriers % 2];
    known = std::max(known, known_work(warp));
    own.at_barrier = true;
  }
  if (is_copy(inst)) return copy(warp, inst, mask);
  Load result;  // of the value that this instruction writes
  for (const std::uint32_t reg : timing.reads) {
    const Load load = own.loads[reg];
    if (load.step == 0) continue;
    if (timing.moves) {
      result = load;
    } else {
      count_need(warp, load, own.ended);
    }
  }
  if (const std::uint64_t bytes = std::exchange(own.loading, 0); bytes != 0) {
    result = load_of(warp, bytes);
    result.own_work = earliest(warp, timing);
  }
  for (const std::uint32_t reg : timing.writes) {
    own.loads[reg] = result;
    own.written[reg] = work_of(warp);
  }
}

}  // namespace tessera::sim
