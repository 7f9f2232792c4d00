// Builds the command line that makes a sandbox for a program: what it sees of the machine, and
// where.
#pragma once

#include <string>
#include <vector>

#include "grader/process/sandbox.h"

namespace tessera {

/// The command that runs the request's command in a sandbox. bwrap writes its progress to
/// `status_descriptor`, and reads a filter of system calls from `filter_descriptor`. The request's
/// paths must exist.
std::vector<std::string> bubblewrap_command(const std::string& bubblewrap,
                                            const SandboxRequest& request, int status_descriptor,
                                            int filter_descriptor);

}  // namespace tessera
