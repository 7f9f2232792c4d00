// What `tessera doctor` says about GPUs and nvcc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/gpu/device.h"

namespace tessera {

/// Whether this user may read a GPU's performance counters, as ncu does.
enum class CounterAccess { every_user, this_administrator, administrators_only, unknown };

/// Reads the answer from the texts of /proc/driver/nvidia/params, /proc/self/status and
/// /proc/self/uid_map; "" if there is no such file.
CounterAccess counter_access(std::string_view driver_params, std::string_view status,
                             std::string_view uid_map);

/// The same for this process on this machine.
CounterAccess counter_access();

/// The lines about GPUs, without a heading: the cards and their limits, or why there is none and
/// what that means.
std::vector<std::string> gpu_lines(const Expected<std::vector<GpuDevice>>& devices,
                                   CounterAccess counters);

/// "13.0.88" from the output of `nvcc --version`, or "".
std::string nvcc_version_in(std::string_view text);

/// One line with the path and version of nvcc, or that it is missing and what it is needed for.
std::string nvcc_line();

}  // namespace tessera
