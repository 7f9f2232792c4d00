// check: --kernel SumAll --grid 4 --block 32 --arg float32[128]=uniform --arg float32[4]=zeros
//        --arg float32[1]=unwritten
// expect: race -- the block with the highest number need not be the last to finish
// line: 10, 14
// Sum of all blocks' sums in one launch.
__global__ void SumAll(const float* x, float* partial, float* total) {
  float value = x[blockIdx.x * 32 + threadIdx.x];
  for (int bit = 16; bit > 0; bit /= 2) value += __shfl_xor_sync(0xffffffffu, value, bit);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = value;
    __threadfence();
    if (blockIdx.x == gridDim.x - 1) {
      float sum = 0.0f;
      for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
      *total = sum;
    }
  }
}
