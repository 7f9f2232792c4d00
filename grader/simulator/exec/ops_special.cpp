// Reading special registers (special_registers.def).
#include <algorithm>
#include <iterator>

#include "common/mixed.h"
#include "grader/simulator/exec/ops_move.h"

namespace tessera::sim {
namespace {

const LaunchShape& shape(const Warp& warp) {
  return warp.worker->launch->shape;
}

const Dim3& cluster(const Warp& warp) {
  return warp.worker->launch->bounds.cluster;
}

std::uint32_t extent(const Dim3& dimensions, unsigned axis) {
  return axis == 0 ? dimensions.x : axis == 1 ? dimensions.y : dimensions.z;
}

std::uint64_t rank_in_cluster(const Warp& warp) {
  const Dim3& id = warp.block->id;
  const Dim3& size = cluster(warp);
  return (std::uint64_t{id.z % size.z} * size.y + id.y % size.y) * size.x + id.x % size.x;
}

std::uint64_t multiprocessors(const Warp& warp) {
  return static_cast<std::uint64_t>(warp.worker->launch->device->multiprocessors);
}

std::uint64_t warp_places(const Warp& warp) {
  const int threads = warp.worker->launch->device->max_threads_per_sm;
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(threads) / kLanes, 1);
}

/// A number that no other warp of the block has, and that says nothing of its place in the block.
std::uint64_t place_on_multiprocessor(const Warp& warp) {
  constexpr std::uint64_t kSteps[] = {5, 7, 11, 13, 17, 19, 23, 25};  // coprime to 32, 48, 64
  const std::uint64_t draw = drawn(~warp.worker->launch->readable_key, warp.block->index);
  return (warp.index * kSteps[draw % std::size(kSteps)] + draw / std::size(kSteps)) %
         warp_places(warp);
}

/// About one tick, which counts as one nanosecond, for each instruction of the warp. It rises by
/// jumps whose size the kernel cannot know: how long something took says little of what other lanes
/// did meanwhile.
std::uint64_t clock_of(const Warp& warp) {
  constexpr std::uint64_t kBetweenJumps = 4096;
  const std::uint64_t jumps = warp.steps / kBetweenJumps;
  const std::uint64_t key = warp.worker->launch->readable_key ^ mixed(warp.index);
  return jumps * kBetweenJumps + drawn(key, jumps) % kBetweenJumps;
}

std::uint64_t total_shared_bytes(const Warp& warp) {
  constexpr std::uint64_t kUnit = 128;  // of allocation, from sm_80 on
  return round_up(shape(warp).shared_bytes + warp.worker->launch->static_shared_bytes, kUnit);
}

struct SpecialRegister {
  std::string_view name;
  bool vector;  // it has .x, .y and .z
  std::uint64_t (*value)(const Warp& warp, unsigned axis, unsigned lane);
};

constexpr SpecialRegister kRegisters[] = {
#define SPECIAL(name, value) ROW(name, false, value)
#define SPECIAL_VECTOR(name, value) ROW(name, true, value)
#define ROW(name, vector, value)                                         \
  {name, vector,                                                         \
   []([[maybe_unused]] const Warp& warp, [[maybe_unused]] unsigned axis, \
      [[maybe_unused]] unsigned lane) { return static_cast<std::uint64_t>(value); }},
#include "grader/simulator/ptx/special_registers.def"
#undef ROW
};
constexpr std::uint32_t kAxes = 3;

/// Inst::flags: row * kAxes + axis.
template <class T>
const Inst* read_special(Warp& warp, const Inst* inst, Mask mask) {
  const auto value = kRegisters[inst->flags / kAxes].value;
  const unsigned axis = inst->flags % kAxes;
  write_lanes<T>(warp, inst->dst, mask,
                 [&](unsigned lane) { return static_cast<T>(value(warp, axis, lane)); });
  return inst + 1;
}

}  // namespace

int special_index(std::string_view name) {
  constexpr std::string_view kSuffixes[kAxes] = {".x", ".y", ".z"};
  for (std::uint32_t row = 0; row < std::size(kRegisters); ++row) {
    const SpecialRegister& special = kRegisters[row];
    if (!name.starts_with(special.name)) continue;
    const std::string_view suffix = name.substr(special.name.size());
    for (std::uint32_t axis = 0; axis < (special.vector ? kAxes : 1); ++axis) {
      if (suffix == (special.vector ? kSuffixes[axis] : ""))
        return static_cast<int>(row * kAxes + axis);
    }
  }
  return -1;
}

Handler special_handler(unsigned bytes) {
  switch (bytes) {
    case 2:
      return read_special<std::uint16_t>;
    case 4:
      return read_special<std::uint32_t>;
    case 8:
      return read_special<std::uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace tessera::sim
