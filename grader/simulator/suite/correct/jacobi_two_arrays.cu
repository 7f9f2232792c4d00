// check: --kernel JacobiStep --grid 3,2 --block 16,12 --arg float32[24,40]=uniform
//        --arg float32[24,40]=unwritten
// expect: clean
// One Jacobi step from one array to another; the border keeps its values.
constexpr int kRows = 24;
constexpr int kCols = 40;

__global__ void JacobiStep(const float* old_grid, float* new_grid) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= kCols || row >= kRows) return;
  const int cell = row * kCols + col;
  const bool on_border = row == 0 || col == 0 || row == kRows - 1 || col == kCols - 1;
  if (on_border) {
    new_grid[cell] = old_grid[cell];
  } else {
    new_grid[cell] = 0.25f * (old_grid[cell - 1] + old_grid[cell + 1] + old_grid[cell - kCols] +
                              old_grid[cell + kCols]);
  }
}
