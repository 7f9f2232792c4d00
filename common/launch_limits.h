// Which launches a device refuses, in a student's words: the simulator and the GPU backend tell
// them alike.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch.h"

namespace tessera {

Finding bad_launch(Text message, Text hint);

/// What `device` does not allow of grid and block: an empty one, an extent over its limit, more
/// threads in a block than it can have (told where no extent tells it).
std::vector<Finding> shape_findings(const LaunchShape& shape, const DeviceProfile& device);

/// What one kernel takes of a multiprocessor, and allows.
struct KernelNeeds {
  std::uint64_t static_shared_bytes = 0;
  int registers_per_thread = 0;      // 0: not known, and taken not to limit
  int max_threads_per_block = 1024;  // as a driver tells for this kernel
  LaunchBounds bounds = {};
};

/// Where the kernel's declaration or its registers leave no room for the block or the grid, of a
/// shape in which shape_findings() finds nothing.
std::optional<Finding> kernel_finding(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device);

/// Where static and dynamic shared memory together are more than the `allowed` bytes.
std::optional<Finding> shared_memory_finding(const LaunchShape& shape,
                                             std::uint64_t static_shared_bytes,
                                             const DeviceProfile& device, std::uint64_t allowed);

}  // namespace tessera
