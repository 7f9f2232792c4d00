// The process that interprets: it holds one module and the buffers of the launch that runs.
#pragma once

#include "grader/interpreter/channel.h"

namespace tessera {

/// Makes `threads` host threads (0: one a processor), gives up all rights but to compute, and
/// answers requests until the other end is gone. Returns the exit status.
int serve_interpreter(Channel channel, int threads);

}  // namespace tessera
