// check: --kernel RowNorms --grid 3 --block 128 --arg float32[10,50]=uniform
//        --arg float32[10]=unwritten
// expect: clean
// One warp for each row; warps without a row leave, and the others use warp primitives only.
constexpr int kRows = 10;
constexpr int kCols = 50;

__global__ void RowNorms(const float* matrix, float* norms) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= kRows) return;
  float sum = 0.0f;
  for (int c = lane; c < kCols; c += 32) sum += matrix[row * kCols + c] * matrix[row * kCols + c];
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (lane == 0) norms[row] = sqrtf(sum);
}
