// check: --kernel SumAll --grid 2 --block 64 --arg float32[128]=uniform --arg float32[1]=unwritten
// expect: uninitialized-read -- the total was never set to zero before the atomics add to it
// line: 9
// Sum of an array by atomics.
__global__ void SumAll(const float* x, float* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = x[i];
  if (value != 0.0f) {
    atomicAdd(total, value);
  }
}
