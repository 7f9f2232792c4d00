#include "grader/simulator/timing/timing_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "common/line_profile.h"
#include "common/occupancy.h"

namespace tessera {
namespace {

// Constants that device profiles lack. None is fitted to times: passes follow from the hardware's
// own counters, the others are public or from microbenchmarks. See README.md, "Timing model".
constexpr double kPipePassesPerCycle = 1;  // lines and wavefronts together
constexpr double kSpecialLanes = 16;       // special-function results per cycle
constexpr double kL2BytesPerCycle = 35;    // from L2 to each multiprocessor, if all of them load
constexpr double kDramEfficiency = 0.9;    // of the datasheet's bandwidth
constexpr double kLaunchMs = 0.0025;  // from the first to the last event around an empty kernel

/// Returns the double-precision lanes of a multiprocessor: half of the single-precision ones on
/// data-centre devices, else 2.
double fp64_lanes(const DeviceProfile& device) {
  const int capability = device.compute_capability;
  const bool full = capability == 60 || capability == 70 || capability == 80 || capability == 90;
  return full ? device.fp32_lanes_per_sm / 2 : 2;
}

/// The cycles of the tensor cores for so many multiply-adds.
double tensor_cycles(double work, double a_cycle) {
  return work == 0 ? 0 : work / a_cycle;
}

/// Returns the multiply-adds of 16-bit factors that a multiprocessor finishes in a cycle by
/// mma.sync and wmma. On an H200 these reach 640 TFLOP/s, 0.6 of what wgmma can.
double tensor_rate(const DeviceProfile& device) {
  constexpr double kWithoutWgmma = 0.6;
  const double most = tensor_multiply_adds(device);
  return device.compute_capability >= 90 ? kWithoutWgmma * most : most;
}

/// Returns how many sectors come from DRAM for w_x x w_y blocks that run at the same time and load
/// their common sectors once.
double loaded_together(const LaunchCounters& counters, double blocks, double w_x, double w_y) {
  const double both = counters.shared_along_both;
  const double x = counters.shared_along_x - both;
  const double y = counters.shared_along_y - both;
  const double own = counters.loaded_sectors - x - y - both;
  return (own * w_x * w_y + x * w_y + y * w_x + both) / blocks;
}

/// Returns the sectors that travel between DRAM and L2. Blocks that run at the same time load their
/// common sectors once. If everything fits in L2, it is loaded once.
double dram_sectors(const LaunchShape& shape, const LaunchCounters& counters,
                    const DeviceProfile& device, double at_once) {
  const double blocks = static_cast<double>(shape.grid.count());
  const double gx = shape.grid.x;
  const double gy = shape.grid.y;
  const double gz = shape.grid.z;
  const double once = loaded_together(counters, blocks, gx, gy) * gz;
  const double w_x = std::min(gx, at_once);
  const double w_y = std::clamp(at_once / gx, 1.0, gy);
  const double wave = std::min(at_once, blocks);
  const double rounds = blocks / wave;
  const double each_wave = loaded_together(counters, blocks, w_x, w_y) * (wave / (w_x * w_y));
  const double capacity = static_cast<double>(device.l2_bytes) / kSectorBytes;
  const double loaded =
      once <= capacity ? once : std::clamp(each_wave * rounds, once, counters.loaded_sectors);
  return std::min(loaded, counters.loaded_sectors) + counters.stored_once;
}

/// Cycles of one multiprocessor for one block.
struct BlockCycles {
  double issue = 0;
  double l1 = 0;
  double shared = 0;
  double l2 = 0;
  double dram = 0;
  double async_tensor = 0;
  double wait = 0;
  double copied = 0;  // the part of l2 and dram that asynchronous copies cause
};

double cycles_a_ms(const DeviceProfile& device) {
  return device.clock_mhz * 1e3;
}

BlockCycles block_cycles(const LaunchShape& shape, const LaunchCounters& counters,
                         const DeviceProfile& device, double at_once) {
  const double blocks = static_cast<double>(shape.grid.count());
  const auto of = [&](InstructionClass kind) {
    return counters.instructions[static_cast<std::size_t>(kind)];
  };
  double instructions = 0;
  for (const double count : counters.instructions) instructions += count;
  const double issue = std::max({instructions / kSchedulers,
                                 of(InstructionClass::fp32) * kWarpLanes / device.fp32_lanes_per_sm,
                                 of(InstructionClass::fp64) * kWarpLanes / fp64_lanes(device),
                                 of(InstructionClass::special) * kWarpLanes / kSpecialLanes,
                                 tensor_cycles(counters.tensor_work, tensor_rate(device))});
  const double l2_sectors = counters.loaded_sectors + counters.stored_sectors;
  const double dram = dram_sectors(shape, counters, device, at_once);
  const double dram_bytes_a_cycle =
      device.memory_gb_per_s * 1e6 * kDramEfficiency / cycles_a_ms(device) / device.multiprocessors;
  const double from_dram =
      counters.loaded_sectors == 0
          ? 0
          : std::min(1.0, (dram - counters.stored_once) / counters.loaded_sectors);
  BlockCycles cycles;
  cycles.issue = issue / blocks;
  cycles.l1 = counters.global_lines / kPipePassesPerCycle / blocks;
  cycles.shared = counters.shared_wavefronts / kPipePassesPerCycle / blocks;
  cycles.l2 = l2_sectors * kSectorBytes / kL2BytesPerCycle / blocks;
  cycles.dram = dram * kSectorBytes / dram_bytes_a_cycle / blocks;
  cycles.async_tensor =
      tensor_cycles(counters.async_tensor_work, tensor_multiply_adds(device)) / blocks;
  if (l2_sectors != 0) cycles.copied = counters.copied_sectors / l2_sectors;
  cycles.wait =
      counters.wait.from_l2 + from_dram * (counters.wait.from_dram - counters.wait.from_l2);
  return cycles;
}

/// Returns the cycles until `q` blocks that start together on one multiprocessor have ended.
double round_cycles(const BlockCycles& block, double q, double warps, bool barriers) {
  // Cycles of a unit, and the part of them in which threads need its results at once.
  const std::array<std::pair<double, double>, 5> units{{{q * block.issue, 1},
                                                        {q * (block.l1 + block.shared), 1},
                                                        {q * block.l2, 1 - block.copied},
                                                        {q * block.dram, 1 - block.copied},
                                                        {q * block.async_tensor, 0}}};
  const auto [busiest, needed] = *std::ranges::max_element(units);
  double others = -busiest * needed;
  for (const auto& [cycles, part] : units) others += cycles * part;
  const double seen = 1 / std::max(1.0, q * warps / kSchedulers);
  if (block.wait > busiest) return block.wait + (busiest + others) * seen;
  return busiest + others * seen + block.wait / (barriers ? q : q * warps);
}

std::string limit_in_words(const ModelledTime& time, double busy_multiprocessors) {
  const std::pair<double, const char*> parts[] = {
      {time.issue, "issue slots and arithmetic"},
      {time.l1 + time.shared, time.shared >= time.l1 ? "wavefronts of shared or constant memory"
                                                     : "cache lines of global accesses"},
      {time.l2, "traffic to L2"},
      {time.dram, "traffic to DRAM"},
      {time.wait, "threads that wait for each other's results: too few warps to hide it"}};
  const auto most =
      std::max_element(std::begin(parts), std::end(parts),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  if (time.launch > most->first) return "the launch itself: there is hardly any work";
  std::string words = most->second;
  if (busy_multiprocessors < 1) words += ", with multiprocessors left idle";
  return words;
}

}  // namespace

ModelledTime modelled_time(const LaunchShape& shape, const LaunchCounters& counters, int registers,
                           std::uint64_t shared_bytes, const DeviceProfile& device) {
  const auto threads = static_cast<std::uint32_t>(shape.block.count());
  const Occupancy fits = occupancy(device, threads, registers, shared_bytes);
  ModelledTime time;
  time.blocks_at_once = fits.blocks_per_sm;
  if (fits.blocks_per_sm == 0) return time;
  const std::uint64_t blocks = shape.grid.count();
  const auto multiprocessors = static_cast<std::uint64_t>(device.multiprocessors);
  const std::uint64_t on_busiest = (blocks + multiprocessors - 1) / multiprocessors;
  const auto q =
      std::min<std::uint64_t>(on_busiest, static_cast<std::uint64_t>(fits.blocks_per_sm));
  const std::uint64_t full = on_busiest / q;
  const std::uint64_t rest = on_busiest % q;
  const BlockCycles block =
      block_cycles(shape, counters, device, static_cast<double>(q) * device.multiprocessors);
  const auto warps = static_cast<double>((threads + kWarpLanes - 1) / kWarpLanes);
  const double cycles =
      static_cast<double>(full) *
          round_cycles(block, static_cast<double>(q), warps, counters.barriers) +
      (rest == 0 ? 0 : round_cycles(block, static_cast<double>(rest), warps, counters.barriers));
  const double ms = 1 / cycles_a_ms(device);
  const double n = static_cast<double>(on_busiest);
  time.rounds = full + (rest != 0);
  time.issue = n * std::max(block.issue, block.async_tensor) * ms;
  time.l1 = n * block.l1 * ms;
  time.shared = n * block.shared * ms;
  time.l2 = n * block.l2 * ms;
  time.dram = n * block.dram * ms;
  time.wait = static_cast<double>(time.rounds) * block.wait * ms;
  time.launch = kLaunchMs;
  time.total = std::max(cycles, counters.edge_cycles) * ms + kLaunchMs;
  time.limited_by = counters.edge_cycles > cycles
                        ? "the first or the last block, which takes longer than all others together"
                        : limit_in_words(time, static_cast<double>(blocks) /
                                                   static_cast<double>(multiprocessors));
  return time;
}

}  // namespace tessera
