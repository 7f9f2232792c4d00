// check: --kernel LockedRange --grid 2 --block 32 --arg float32[64]=uniform --arg float32[2]=zeros
//        --arg int32[1]=zeros
// expect: clean
// Every thread widens a common [low, high] range under a lock; the winner leaves the loop.
__global__ void LockedRange(const float* x, float* range, int* lock) {
  const float value = x[blockIdx.x * blockDim.x + threadIdx.x];
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      if (value < range[0]) range[0] = value;
      if (value > range[1]) range[1] = value;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
