// What a card refuses to launch, said before CUDA says "invalid argument".
#pragma once

#include <optional>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch.h"

namespace tessera {

/// What one kernel takes of a multiprocessor.
struct KernelNeeds {
  std::uint64_t static_shared_bytes = 0;
  int registers_per_thread = 0;
  int max_threads_per_block = 1024;  // that its registers and __launch_bounds__ leave
};

/// bad-launch for the first limit of `device` that this launch breaks. Dynamic shared memory may
/// use what a kernel must opt in to.
std::optional<Finding> refused_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device);

}  // namespace tessera
