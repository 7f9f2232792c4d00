// The program that drives a GPU with all rights of its user, to see whether a test fails for a
// right that a driver needs: TESSERA_TEST_GPU_WORKER=.../tessera_unconfined_gpu_worker ctest -L gpu
#include "grader/gpu/worker/serve.h"

int main() {
  return tessera::run_gpu_worker(tessera::Confinement::none);
}
