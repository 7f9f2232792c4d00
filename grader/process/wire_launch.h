// The fields of a launch and of a card on the wire.
#pragma once

#include "common/device_profile.h"
#include "common/launch.h"
#include "grader/process/wire.h"

namespace tessera::wire {

TESSERA_FIELDS(Dim3, it.x, it.y, it.z);
TESSERA_FIELDS(LaunchShape, it.grid, it.block, it.shared_bytes);
TESSERA_FIELDS(DeviceProfile, it.id, it.name, it.compute_capability, it.multiprocessors,
               it.max_threads_per_block, it.max_block, it.max_grid, it.max_threads_per_sm,
               it.max_blocks_per_sm, it.registers_per_sm, it.max_registers_per_thread,
               it.shared_bytes_per_block, it.shared_bytes_per_block_optin, it.shared_bytes_per_sm,
               it.reserved_shared_bytes_per_block, it.constant_bytes, it.l2_bytes, it.clock_mhz,
               it.memory_gb_per_s, it.fp32_lanes_per_sm);

}  // namespace tessera::wire
