// tessera-gpu with all rights of its user, to find out whether a test fails because the driver
// needs a right: TESSERA_TEST_GPU_WORKER=.../tessera_unconfined_gpu_worker ctest -L gpu
#include "grader/gpu/worker/serve.h"

int main() {
  return tessera::run_gpu_worker(tessera::Confinement::none);
}
