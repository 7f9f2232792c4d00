// How many blocks of a kernel a multiprocessor can hold at a time, and which resource limits them.
#pragma once

#include <cstdint>
#include <string>

#include "common/device_profile.h"

namespace tessera {

struct Occupancy {
  int blocks_per_sm = 0;
  double percent = 0;      // resident warps as a share of the most possible
  std::string limited_by;  // "threads", "blocks", "registers", "shared memory"
};

/// The occupancy for blocks of `threads` threads (1 to the device's limit) with `registers` 32-bit
/// registers per thread (0: unknown, no limit) and `shared_bytes` of static and dynamic shared
/// memory. The rules are those of the CUDA Toolkit's cuda_occupancy.h: registers are allocated to
/// warps in units of 256, shared memory to blocks in units of 128 bytes (256 before compute
/// capability 8) including the part that the system reserves.
Occupancy occupancy(const DeviceProfile& device, std::uint32_t threads, int registers,
                    std::uint64_t shared_bytes);

/// The threads of the largest block that a multiprocessor can hold, if `registers` alone limit it.
std::uint64_t most_threads_of_block(const DeviceProfile& device, int registers);

}  // namespace tessera
