// The process that drives a GPU: it holds one job and nothing else of the grader.
#pragma once

#include "grader/gpu/worker/confinement.h"
#include "grader/process/channel.h"

namespace tessera {

/// Takes one job from the channel, does it and ends the process with the exit status. The process
/// also ends if the other end of the channel is closed.
int serve_gpu(Channel channel, Confinement confinement);

/// The main() of such a program: sets the limits of the process and calls serve_gpu() on descriptor
/// 3. If the user started the program, prints what it is for.
int run_gpu_worker(Confinement confinement);

}  // namespace tessera
