// check: --kernel Negate --grid 4,2 --block 16,16 --arg float32[32,64]=uniform
//        --arg float32[32,64]=unwritten
// expect: out-of-bounds -- column and row are swapped in the index of a matrix that is not square
// line: 13
// Negates every element of a 32x64 matrix.
constexpr int kRows = 32;
constexpr int kCols = 64;

__global__ void Negate(const float* in, float* out) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < kRows && col < kCols) {
    out[row * kCols + col] = -in[col * kCols + row];
  }
}
