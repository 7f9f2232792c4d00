// How long a launch would take on a GPU that is not here: a model, never a measurement.
//
// A multiprocessor runs `blocks_at_once` blocks side by side, round after round. In a round each
// unit (issue, the pipe of L1 and shared memory, L2, DRAM) is busy for the sum of what the blocks
// ask of it, and the busiest unit sets the pace. The other units work meanwhile, as far as other
// warps keep them busy: of their time 1 / (warps of a scheduler) shows. Threads that wait for the
// results of loads or at a barrier are hidden by the other blocks: of q blocks, 1 / q of the time
// shows; without barriers it is q * warps. Where the waiting alone takes longest, it sets the pace.
#pragma once

#include <cstdint>
#include <string>

#include "common/device_profile.h"
#include "common/launch.h"
#include "grader/simulator/timing/launch_counters.h"

namespace tessera {

/// Milliseconds. The parts are what each would take if it were alone, all multiprocessors busy.
struct ModelledTime {
  double total = 0;
  double issue = 0;        // issue slots and arithmetic units
  double l1 = 0;           // lines of global memory through the L1 cache: one pipe with `shared`
  double shared = 0;       // wavefronts of shared memory
  double l2 = 0;           // sectors between L2 and the multiprocessors
  double dram = 0;         // bytes between DRAM and L2
  double wait = 0;         // threads that wait for results and barriers
  double launch = 0;       // of the kernel
  int blocks_at_once = 0;  // on a multiprocessor
  std::uint64_t rounds = 0;
  std::string limited_by;  // in words: "wavefronts of shared memory"
};

/// For a launch that fits the device: check_launch() has no finding. `registers` 0: not known.
/// `shared_bytes`: static and dynamic. total is 0 where no block fits on a multiprocessor.
ModelledTime modelled_time(const LaunchShape& shape, const LaunchCounters& counters, int registers,
                           std::uint64_t shared_bytes, const DeviceProfile& device);

}  // namespace tessera
