// tessera-gpu: loads and launches a submission's kernels for the grader, which starts it with its
// end of the channel as descriptor 3 and nothing else.
#include "grader/gpu/worker/serve.h"

int main() {
  return tessera::run_gpu_worker(tessera::Confinement::full);
}
