// check: --kernel AddMatrices --grid 3,3 --block 16,16 --arg float32[24,40]=uniform
//        --arg float32[24,40]=uniform
// expect: out-of-bounds -- the guard compares the row with the columns and the column with the rows
// line: 13
// a += b for 24x40 matrices.
constexpr int kRows = 24;
constexpr int kCols = 40;

__global__ void AddMatrices(float* a, const float* b) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < kCols && col < kRows) {
    a[row * kCols + col] += b[row * kCols + col];
  }
}
