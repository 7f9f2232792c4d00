// What the timing model wants to know of a launch (timing_model.h), from a few of its blocks.
#pragma once

#include <array>
#include <cstdint>

#include "grader/simulator/ptx/instruction_class.h"

namespace tessera {

/// Cycles that one block takes from its first to its last instruction where nothing else slows it:
/// only instructions that wait for the results of others count. A load that the block is the first
/// to make waits for L2, or for DRAM.
struct WaitCycles {
  double from_l2 = 0;
  double from_dram = 0;
};

/// Counts of a whole launch, scaled up from `sampled_blocks` of its blocks.
struct LaunchCounters {
  std::uint64_t sampled_blocks = 0;
  std::array<double, kInstructionClasses> instructions{};  // warp instructions, by class
  double global_lines = 0;       // 128-byte lines that global and local accesses touch, a request
                                 // at a time: passes of the L1 cache
  double shared_wavefronts = 0;  // passes of shared memory, as ptxas merges loads
  double loaded_sectors = 0;     // 32-byte sectors that loads touch, each once a block
  double stored_sectors = 0;     // that stores and atomics touch, a request at a time
  double stored_once = 0;        // the same, each once a block
  double shared_along_x = 0;     // part of loaded_sectors that the next block in x loads as well
  double shared_along_y = 0;     // and the next block in y
  double shared_along_both = 0;  // and both
  bool barriers = false;         // blocks have barriers
  WaitCycles wait;               // mean over blocks
};

}  // namespace tessera
