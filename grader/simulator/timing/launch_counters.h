// What the timing model (timing_model.h) needs to know of a launch, counted in a few of its blocks.
#pragma once

#include <array>
#include <cstdint>

#include "grader/simulator/ptx/instruction_class.h"

namespace tessera {

/// Schedulers of a multiprocessor; each issues one warp instruction a cycle.
inline constexpr double kSchedulers = 4;

/// Cycles that one block takes from its first to its last instruction if nothing else slows it:
/// only waiting for the results of other instructions counts. `from_l2` if the block's first load
/// of each sector waits for L2, `from_dram` if it waits for DRAM.
struct WaitCycles {
  double from_l2 = 0;
  double from_dram = 0;

  bool operator==(const WaitCycles&) const = default;
};

/// Counts of a whole launch, scaled up from `sampled_blocks` of its blocks.
struct LaunchCounters {
  std::uint64_t sampled_blocks = 0;
  std::array<double, kInstructionClasses> instructions{};  // warp instructions, by class
  double global_lines = 0;       // 128-byte lines that global and local accesses touch, counted for
                                 // each request: passes of the L1 cache
  double shared_wavefronts = 0;  // passes of shared (after ptxas merged loads) and constant memory
  double tensor_work = 0;        // multiply-adds of 16-bit factors; those of tf32 count twice
  double async_tensor_work = 0;  // the same, of asynchronous products (wgmma)
  double loaded_sectors = 0;     // 32-byte sectors that loads touch, each once per block
  double copied_sectors = 0;     // those of them that asynchronous copies touch first
  double stored_sectors = 0;     // that stores and atomics touch, counted for each request
  double stored_once = 0;        // the same, each once per block
  double shared_along_x = 0;     // those of loaded_sectors that the next block in x loads too
  double shared_along_y = 0;     // that the next block in y loads too
  double shared_along_both = 0;  // that both load too
  bool barriers = false;         // blocks have barriers
  WaitCycles wait;               // mean over blocks
  double edge_cycles =
      0;  // that the first block of the grid, or the last, takes at least by itself

  bool operator==(const LaunchCounters&) const = default;
};

}  // namespace tessera
