// How many blocks of a kernel a multiprocessor can hold at a time, and what keeps it from more.
#pragma once

#include <cstdint>
#include <string>

#include "common/device_profile.h"

namespace tessera {

struct Occupancy {
  int blocks_per_sm = 0;
  double percent = 0;      // resident warps of those that the multiprocessor can hold
  std::string limited_by;  // "threads", "blocks", "registers", "shared memory"
};

/// For blocks of `threads` threads (1 to the device's limit) with `registers` 32-bit registers each
/// and `shared_bytes` of static and dynamic shared memory. `registers` 0: not known, and taken not
/// to limit. The rules are those of the CUDA Toolkit's cuda_occupancy.h: registers are given to
/// warps in units of 256, shared memory to blocks in units of 128 bytes (256 before compute
/// capability 8) with the part that the system reserves.
Occupancy occupancy(const DeviceProfile& device, std::uint32_t threads, int registers,
                    std::uint64_t shared_bytes);

/// The threads of the largest block of which a multiprocessor can hold one, by `registers` alone.
std::uint64_t most_threads_of_block(const DeviceProfile& device, int registers);

}  // namespace tessera
