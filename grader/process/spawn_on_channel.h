// Starts a program that has nothing but one end of a channel.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "grader/process/channel.h"

namespace tessera {

/// Where such a program finds its end.
inline constexpr int kChannelDescriptor = 3;

/// Runs `words` (the first is the program's path) with `environment` ("NAME=value") as the whole of
/// its environment, `its` end of a channel as kChannelDescriptor, and no way to print. The process,
/// or the negated errno.
pid_t spawn_on_channel(std::vector<std::string> words, std::vector<std::string> environment,
                       const Channel& its);

}  // namespace tessera
