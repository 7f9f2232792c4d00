// Launches that a device refuses, in a student's words; the simulator and the GPU backend report
// them with the same findings, before CUDA says "invalid argument".
#pragma once

#include <cstdint>
#include <vector>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch.h"

namespace tessera {

/// A finding bad-launch.
Finding bad_launch(Text message, Text hint);

/// Findings about grid and block that exceed the limits of `device`: an empty extent, an extent
/// above its limit, or too many threads in a block (reported only if no extent of it is).
std::vector<Finding> shape_findings(const LaunchShape& shape, const DeviceProfile& device);

/// What a kernel needs of a multiprocessor, and the launches that its declaration allows.
struct KernelNeeds {
  std::uint64_t static_shared_bytes = 0;
  int registers_per_thread = 0;      // 0: unknown, no limit
  int max_threads_per_block = 1024;  // the driver's limit for this kernel
  LaunchBounds bounds = {};
};

/// Returns the bad-launch findings of this launch on `device`: those of shape_findings(), else of a
/// size that the kernel's declaration or its registers do not allow; and of too much shared memory.
/// Variables may take shared_bytes_per_block, and together with the dynamic part what the device
/// allows after opt-in, which every launch asks for (cudaFuncAttributeMaxDynamicSharedMemorySize).
std::vector<Finding> check_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                  const DeviceProfile& device);

}  // namespace tessera
