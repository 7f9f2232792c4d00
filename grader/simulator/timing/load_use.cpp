#include "grader/simulator/timing/load_use.h"

#include <algorithm>

#include "grader/simulator/exec/ops_memory.h"

namespace tessera::sim {
namespace {

/// Whether lanes of `mask` load from global memory.
bool loads_global(Warp& warp, const Inst* inst, Mask mask, const InstTiming& timing) {
  if (timing.kind != InstructionClass::memory || timing.store || timing.atomic) return false;
  if (timing.space != ptx::Space::generic) return timing.space == ptx::Space::global;
  std::array<std::uint64_t, kLanes> address{};
  for_lanes(mask, [&](unsigned lane) { address[lane] = lane_address(warp, inst, lane); });
  return split_by_space(address, 0, mask).global != 0;
}

}  // namespace

LoadUse::LoadUse(std::uint64_t, Dim3 threads) : warps_((threads.count() + kLanes - 1) / kLanes) {
}

void LoadUse::step(Warp& warp, const Inst* inst, Mask mask) {
  const Function& function = *warp.frame->function;
  const FunctionTiming& known = function.timing;
  const auto index = static_cast<std::size_t>(inst - function.code.data());
  if (known.instructions.empty() || !known.is_last[index]) return;
  OfWarp& own = warps_[warp.index];
  if (own.function != &function) {  // a call or a return: what is on its way counts no more
    own.function = &function;
    own.loaded_at.assign(known.registers, 0);
  }
  ++own.steps;
  if (mask == 0) return;
  const InstTiming& timing = known.instructions[inst->source];
  std::uint64_t loaded_at = 0;  // of the value that this instruction writes
  for (const std::uint32_t reg : timing.reads) {
    const std::uint64_t at = own.loaded_at[reg];
    if (at == 0) continue;
    if (timing.moves) {
      loaded_at = at;
      continue;
    }
    ++loads_;
    between_ += own.steps - at - 1;
    std::ranges::replace(own.loaded_at, at, std::uint64_t{0});
  }
  if (loads_global(warp, inst, mask, timing)) loaded_at = own.steps;
  for (const std::uint32_t reg : timing.writes) own.loaded_at[reg] = loaded_at;
}

}  // namespace tessera::sim
