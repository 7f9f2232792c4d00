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

LoadUse::Work LoadUse::work_of(const Warp& warp) {
  const auto arithmetic = [](const Warp& one) { return one.work.floating_point + one.work.tensor; };
  Work work{.of_warp = arithmetic(warp)};
  if (work.of_warp != 0) return work;
  for (const Warp& other : warp.block->warps) work.of_block += arithmetic(other);
  work.of_block /= warp.block->warps.size();
  return work;
}

void LoadUse::count_need(const Warp& warp, Load load) {
  const Work work = work_of(warp);
  const std::uint64_t distance =
      work.of_warp != 0 ? work.of_warp - load.before.of_warp : work.of_block - load.before.of_block;
  bytes_[std::min<std::uint64_t>(distance, bytes_.size() - 1)] += load.bytes;
  for (Load& other : warps_[warp.index].loads) {
    if (other.step == load.step) other = {};
  }
}

void LoadUse::copy(Warp& warp, const Inst* inst, Mask mask) {
  OfWarp& own = warps_[warp.index];
  if (inst->run == begin_copy) {
    const auto lanes = static_cast<std::uint64_t>(std::popcount(mask));
    return own.copies.begin({own.steps, lanes * inst->size, work_of(warp)});
  }
  own.copies.pass(*inst, [&](const Load& load) { count_need(warp, load); });
}

void LoadUse::copies_arrive(Warp& warp, std::uint32_t begun, std::uint64_t /*phase*/) {
  warps_[warp.index].copies.pass_before(begun, [&](const Load& load) { count_need(warp, load); });
}

void LoadUse::step(Warp& warp, const Inst* inst, Mask mask) {
  const Function& function = *warp.frame->function;
  const KnownTiming known = known_timing(function, inst);
  if (known.timing == nullptr) return;
  const InstTiming& timing = *known.timing;
  OfWarp& own = warps_[warp.index];
  const bool is_access = !timing.pieces ? known.last : is_fragment_access(*inst);
  if (mask != 0 && is_access && loads_global(warp, inst, mask, timing)) {
    const unsigned width = timing.pieces ? inst->size * inst->count : timing.width;
    own.loading += static_cast<std::uint64_t>(std::popcount(mask)) * width;
  }
  if (!known.last) return;
  ++own.steps;
  if (own.function != &function) {  // a call or a return, which waits for what is on its way
    for (std::size_t i = 0; i < own.loads.size(); ++i) {
      if (own.loads[i].step != 0) count_need(warp, own.loads[i]);
    }
    own.function = &function;
    own.loads.assign(function.timing.registers, {});
  }
  if (mask == 0) return;
  if (is_copy(inst)) return copy(warp, inst, mask);
  Load result;  // of the value that this instruction writes
  for (const std::uint32_t reg : timing.reads) {
    const Load load = own.loads[reg];
    if (load.step == 0) continue;
    if (timing.moves) {
      result = load;
    } else {
      count_need(warp, load);
    }
  }
  if (const std::uint64_t bytes = std::exchange(own.loading, 0); bytes != 0)
    result = {own.steps, bytes, work_of(warp)};
  for (const std::uint32_t reg : timing.writes) own.loads[reg] = result;
}

}  // namespace tessera::sim
