// check: --kernel TransposeSquare --grid 3,3 --block 8,8 --arg float32[20,20]=uniform
// expect: clean
// In-place transpose of a square matrix; one thread owns both elements of every mirrored pair.
constexpr int kSize = 20;

__global__ void TransposeSquare(float* matrix) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < row && row < kSize) {
    const float upper = matrix[col * kSize + row];
    matrix[col * kSize + row] = matrix[row * kSize + col];
    matrix[row * kSize + col] = upper;
  }
}
