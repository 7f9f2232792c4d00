// check: --kernel MatVec --grid 4 --block 64 --arg float32[4,64]=uniform --arg float32[64]=uniform
//        --arg float32[4]=zeros
// expect: race -- two warps add to the same output without an atomic
// line: 11
// y += A * x with one block for each row; each warp adds its part.
__global__ void MatVec(const float* a, const float* x, float* y) {
  const int row = blockIdx.x;
  float sum = a[row * 64 + threadIdx.x] * x[threadIdx.x];
  for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
  if (threadIdx.x % 32 == 0) {
    y[row] += sum;
  }
}
