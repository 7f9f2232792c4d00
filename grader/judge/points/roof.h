// The least time that a lab's performance shape can take on a device.
#pragma once

#include <optional>

#include "common/device_profile.h"
#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// The peak in 10^9 single-precision operations a second, a multiply-add counted as two; 0 if the
/// profile does not have it.
double peak_gflops(const Lab& lab, const DeviceProfile& device);

/// The least time of a launch on the lab's performance shape; nothing if the profile lacks the peak
/// or the bandwidth. Arithmetic is known only for products. An output that stays in L2 can be
/// written faster than `memory_ms` says.
std::optional<Roof> roof_of(const Lab& lab, const DeviceProfile& device);

}  // namespace tessera
