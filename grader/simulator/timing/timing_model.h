// Estimates how long a launch would take on a GPU that is not here: a model, never a measurement.
//
// A multiprocessor runs `blocks_at_once` blocks side by side, round after round. In a round each
// unit (issue, the pipe of L1 and shared memory, L2, DRAM) is busy for the sum of the blocks'
// requests, and the busiest unit sets the pace. The other units work at the same time, as far as
// there are warps to keep them busy: 1 / (warps of a scheduler) of their time adds to the total.
// Other blocks hide the time for which threads wait for loads or at barriers: with q blocks, 1 / q
// of it adds to the total; without barriers, 1 / (q * warps). If waiting alone takes longest, it
// sets the pace. A launch takes at least as long as its first or its last block alone.
#pragma once

#include <cstdint>
#include <string>

#include "common/device_profile.h"
#include "common/launch.h"
#include "grader/simulator/timing/launch_counters.h"

namespace tessera {

/// Times in milliseconds. Each part is the time that it would take alone.
struct ModelledTime {
  double total = 0;
  double issue = 0;        // issue slots and arithmetic units
  double l1 = 0;           // lines of global memory through the L1 cache: one pipe with `shared`
  double shared = 0;       // wavefronts of shared and constant memory
  double l2 = 0;           // sectors between L2 and the multiprocessors
  double dram = 0;         // bytes between DRAM and L2
  double wait = 0;         // threads that wait for results and barriers
  double launch = 0;       // of the kernel
  int blocks_at_once = 0;  // on a multiprocessor
  std::uint64_t rounds = 0;
  std::string limited_by;  // for users: "traffic to L2"
};

/// Returns the modelled time of a launch for which check_launch() has no finding. `registers`: per
/// thread; 0: not known. `shared_bytes`: static and dynamic. `total` is 0 if no block fits on a
/// multiprocessor.
ModelledTime modelled_time(const LaunchShape& shape, const LaunchCounters& counters, int registers,
                           std::uint64_t shared_bytes, const DeviceProfile& device);

}  // namespace tessera
