// check: --kernel VerticalGradient --grid 2,2 --block 16,8 --arg float32[16,32]=uniform
//        --arg float32[16,32]=unwritten
// expect: out-of-bounds -- the last row reads a row below the image
// line: 13
// Difference of each pixel to the one below.
constexpr int kRows = 16;
constexpr int kCols = 32;

__global__ void VerticalGradient(const float* image, float* gradient) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < kRows && col < kCols) {
    const float below = image[(row + 1) * kCols + col];
    gradient[row * kCols + col] = below - image[row * kCols + col];
  }
}
