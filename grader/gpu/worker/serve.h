// The process that drives a GPU: it holds one job, and nothing else of the grader.
#pragma once

#include "grader/gpu/worker/confinement.h"
#include "grader/process/channel.h"

namespace tessera {

/// Takes one job from the channel, does it and returns the exit status. The process ends when the
/// channel's other end is gone.
int serve_gpu(Channel channel, Confinement confinement);

/// What main() of such a program does: the limits of the process, and serve_gpu() on descriptor 3.
/// Prints what the program is for where it was started by hand.
int run_gpu_worker(Confinement confinement);

}  // namespace tessera
