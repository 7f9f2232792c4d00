// check: --kernel AddPreviousSum --grid 4 --block 32 --arg float32[128]=uniform
//        --arg float32[4]=zeros --arg float32[4]=unwritten
// expect: race -- a block reads the sum of the block before it in the same launch
// line: 10, 11
// Adds each block's sum to that of the block before.
__global__ void AddPreviousSum(const float* x, float* sums, float* out) {
  float value = x[blockIdx.x * 32 + threadIdx.x];
  for (int bit = 16; bit > 0; bit /= 2) value += __shfl_xor_sync(0xffffffffu, value, bit);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = value;
    const float previous = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0.0f;
    out[blockIdx.x] = previous + value;
  }
}
