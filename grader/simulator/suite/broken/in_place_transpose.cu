// check: --kernel TransposeInPlace --grid 2,2 --block 16,16 --arg float32[32,32]=uniform
// expect: race -- every thread overwrites an element that another thread still has to read
// line: 11, 12
// Transposes a square matrix in place.
constexpr int kSize = 32;

__global__ void TransposeInPlace(float* matrix) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < kSize && col < kSize) {
    const float value = matrix[row * kSize + col];
    matrix[col * kSize + row] = value;
  }
}
