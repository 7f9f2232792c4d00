// The kernel that the grader appends to a submission: it calls `launch` on the device and stores
// what that returns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/lab/lab.h"

namespace tessera {

inline constexpr const char* kLaunchEntry = "tessera_launch";

/// How many words it stores: grid x, y, z, block x, y, z and the bytes of dynamic shared memory.
inline constexpr std::size_t kLaunchWords = 7;

/// The names of the arguments of `launch`: the operation's extents in order, then the lab's
/// parameters.
std::vector<std::string> launch_arguments(const Lab& lab);

/// The source of `tessera_launch(int ..., Launch* out)`.
std::string launch_epilogue(const Lab& lab);

}  // namespace tessera
