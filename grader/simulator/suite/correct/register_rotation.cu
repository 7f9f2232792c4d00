// check: --kernel ColumnStencil --grid 1 --block 48 --arg float32[20,48]=uniform
//        --arg float32[20,48]=unwritten
// expect: clean
// Vertical three-point sum; each thread walks down a column and rotates three registers.
constexpr int kRows = 20;
constexpr int kCols = 48;

__global__ void ColumnStencil(const float* in, float* out) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= kCols) return;
  float above = 0.0f;
  float here = in[col];
  for (int row = 0; row < kRows; ++row) {
    const float below = row + 1 < kRows ? in[(row + 1) * kCols + col] : 0.0f;
    out[row * kCols + col] = above + here + below;
    above = here;
    here = below;
  }
}
