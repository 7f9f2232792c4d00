// What `tessera doctor` says of GPUs and of nvcc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/expected.h"
#include "grader/gpu/device.h"

namespace tessera {

/// Whether this user may read a GPU's performance counters, as ncu does.
enum class CounterAccess { everybody, this_administrator, administrators_only, unknown };

/// From what the system tells: `driver_params` is the text of /proc/driver/nvidia/params, `status`
/// of /proc/self/status, `uid_map` of /proc/self/uid_map; "" where there is no such file.
CounterAccess counter_access(std::string_view driver_params, std::string_view status,
                             std::string_view uid_map);

/// The same for this process, here.
CounterAccess counter_access();

/// Lines without a heading: the cards and their limits, or why there is none and what that means.
std::vector<std::string> gpu_lines(const Expected<std::vector<GpuDevice>>& devices,
                                   CounterAccess counters);

/// "13.0.88" from what `nvcc --version` prints, or "".
std::string nvcc_version_in(std::string_view text);

/// One line: where nvcc is and its version, or that it is missing and what for it is needed.
std::string nvcc_line();

}  // namespace tessera
