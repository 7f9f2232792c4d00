// The one kernel that the grader appends to a submission: it calls `launch` on the device and
// writes what comes back.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/lab/lab.h"

namespace tessera {

inline constexpr const char* kLaunchEntry = "tessera_launch";

/// grid x, y, z, block x, y, z, bytes of dynamic shared memory
inline constexpr std::size_t kLaunchWords = 7;

/// What `launch` receives: the operation's extents in order, then the lab's parameters.
std::vector<std::string> launch_arguments(const Lab& lab);

/// Source of `tessera_launch(int ..., unsigned* out)`.
std::string launch_epilogue(const Lab& lab);

}  // namespace tessera
