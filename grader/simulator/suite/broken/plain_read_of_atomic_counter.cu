// check: --kernel LimitedAppend --grid 2 --block 64 --arg float32[128]=uniform --arg int32[1]=zeros
//        --arg float32[128]=zeros
// expect: race -- the plain read of the counter competes with the atomics of other threads
// line: 8, 9
// Appends values until about a hundred are stored.
__global__ void LimitedAppend(const float* x, int* count, float* stored) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (*count < 100) {
    const int slot = atomicAdd(count, 1);
    stored[slot] = x[i];
  }
}
