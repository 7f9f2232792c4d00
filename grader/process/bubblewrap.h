// The command line that makes a room for a program: what it sees of the machine, and where.
#pragma once

#include <string>
#include <vector>

#include "grader/process/sandbox.h"

namespace tessera {

/// Runs the request's command in a room of its own. bwrap writes to `status_descriptor` how far it
/// came, and reads a filter of system calls from `filter_descriptor`. The request's paths exist.
std::vector<std::string> bubblewrap_command(const std::string& bubblewrap,
                                            const SandboxRequest& request, int status_descriptor,
                                            int filter_descriptor);

}  // namespace tessera
