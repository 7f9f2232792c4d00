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
  while (distance + 1 < bytes.size() && 4 * (shorter + bytes[distance]) <= total)
    shorter += bytes[distance++];
  return distance;
}

LoadUse::LoadUse(std::uint64_t, Dim3 threads) : warps_((threads.count() + kLanes - 1) / kLanes) {
}

void LoadUse::count_need(OfWarp& own, Load load) {
  const std::uint64_t distance = own.steps - load.step - 1;
  bytes_[std::min<std::uint64_t>(distance, bytes_.size() - 1)] += load.bytes;
  for (Load& other : own.loads) {
    if (other.step == load.step) other = {};
  }
}

void LoadUse::copy(OfWarp& own, const Inst* inst, Mask mask) {
  if (inst->run == begin_copy) {
    const auto lanes = static_cast<std::uint64_t>(std::popcount(mask));
    return own.copies.begin({own.steps, lanes * inst->size});
  }
  own.copies.pass(*inst, [&](const Load& load) { count_need(own, load); });
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
      if (own.loads[i].step != 0) count_need(own, own.loads[i]);
    }
    own.function = &function;
    own.loads.assign(function.timing.registers, {});
  }
  if (mask == 0) return;
  if (is_copy(inst)) return copy(own, inst, mask);
  Load result;  // of the value that this instruction writes
  for (const std::uint32_t reg : timing.reads) {
    const Load load = own.loads[reg];
    if (load.step == 0) continue;
    if (timing.moves) {
      result = load;
    } else {
      count_need(own, load);
    }
  }
  if (const std::uint64_t bytes = std::exchange(own.loading, 0); bytes != 0)
    result = {own.steps, bytes};
  for (const std::uint32_t reg : timing.writes) own.loads[reg] = result;
}

}  // namespace tessera::sim
