// The least time that a lab's performance shape can take on a device.
#pragma once

#include <optional>

#include "common/device_profile.h"
#include "grader/judge/points/record.h"
#include "grader/lab/lab.h"

namespace tessera {

/// 10^9 single-precision operations a second, a multiply-add counted as two; 0 where the profile
/// does not tell.
double fp32_peak_gflops(const DeviceProfile& device);

/// What a launch on the lab's performance shape takes at best: nothing where the profile lacks the
/// peak or the bandwidth. Arithmetic is known of products alone. An output that stays in L2 can be
/// written faster than `memory_ms` says.
std::optional<Roof> roof_of(const Lab& lab, const DeviceProfile& device);

}  // namespace tessera
