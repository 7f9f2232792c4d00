// check: --kernel Blur --grid 3,2 --block 16,16 --arg float32[30,40]=uniform
//        --arg float32[30,40]=unwritten
// expect: clean
// 3x3 box blur of an image through an 18x18 tile; the border repeats the edge pixels.
constexpr int kWidth = 40;
constexpr int kHeight = 30;
constexpr int kBlock = 16;
constexpr int kTile = kBlock + 2;

__device__ int Clamp(int value, int limit) {
  return max(0, min(value, limit - 1));
}

__global__ void Blur(const float* image, float* blurred) {
  __shared__ float tile[kTile][kTile];
  const int left = blockIdx.x * kBlock - 1;
  const int top = blockIdx.y * kBlock - 1;
  const int tid = threadIdx.y * kBlock + threadIdx.x;
  for (int cell = tid; cell < kTile * kTile; cell += kBlock * kBlock) {
    const int row = Clamp(top + cell / kTile, kHeight);
    const int col = Clamp(left + cell % kTile, kWidth);
    tile[cell / kTile][cell % kTile] = image[row * kWidth + col];
  }
  __syncthreads();
  const int col = blockIdx.x * kBlock + threadIdx.x;
  const int row = blockIdx.y * kBlock + threadIdx.y;
  if (col >= kWidth || row >= kHeight) return;
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  }
  blurred[row * kWidth + col] = sum / 9.0f;
}
