// check: --kernel MatVec --grid 5 --block 32,4 --arg float32[18,70]=uniform
//        --arg float32[70]=uniform --arg float32[18]=unwritten
// expect: clean
// y = A * x with one warp for each row of A.
constexpr int kRows = 18;
constexpr int kCols = 70;

__global__ void MatVec(const float* a, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  if (row < kRows) {
    for (int c = threadIdx.x; c < kCols; c += 32) sum += a[row * kCols + c] * x[c];
  }
  for (int bit = 16; bit > 0; bit /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, bit);
  if (row < kRows && threadIdx.x == 0) y[row] = sum;
}
