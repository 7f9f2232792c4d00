// Launches that a card refuses, explained before CUDA says "invalid argument".
#pragma once

#include <optional>

#include "common/device_profile.h"
#include "common/finding.h"
#include "common/launch_limits.h"

namespace tessera {

/// A finding bad-launch about the first limit of `device` that this launch exceeds, if any. Dynamic
/// shared memory may be as large as the device allows after opt-in.
std::optional<Finding> refused_launch(const LaunchShape& shape, const KernelNeeds& needs,
                                      const DeviceProfile& device);

}  // namespace tessera
