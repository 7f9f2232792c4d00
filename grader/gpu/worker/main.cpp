// tessera-gpu: loads and launches a submission's kernels for the grader. The grader starts it with
// one end of a channel as descriptor 3, and no other descriptors but the standard ones.
#include "grader/gpu/worker/serve.h"

int main() {
  return tessera::run_gpu_worker(tessera::Confinement::full);
}
