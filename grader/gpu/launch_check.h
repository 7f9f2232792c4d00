// What a card refuses to launch, said before CUDA says "invalid argument".
#pragma once

#include <optional>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch_limits.h"

namespace tessera {

/// bad-launch for the first limit of `device` that this launch breaks. Dynamic shared memory may
/// use what a kernel must opt in to.
std::optional<Finding> refused_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device);

}  // namespace tessera
