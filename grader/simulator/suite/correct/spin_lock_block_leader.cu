// check: --kernel LockedStatistics --grid 6 --block 32 --arg float32[192]=uniform
//        --arg float32[2]=zeros --arg int32[1]=zeros
// expect: clean
// The first thread of each block adds its warp's sum and square sum under a global lock.
__global__ void LockedStatistics(const float* x, float* statistics, int* lock) {
  float sum = x[blockIdx.x * 32 + threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    volatile float* shared_sums = statistics;
    shared_sums[0] = shared_sums[0] + sum;
    shared_sums[1] = shared_sums[1] + sum * sum;
    __threadfence();
    atomicExch(lock, 0);
  }
}
