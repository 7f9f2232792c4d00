// check: --kernel Matmul --grid 1 --block 8,8 --arg float32[6,6]=uniform --arg float32[6,6]=uniform
//        --arg float32[6,6]=unwritten
// expect: uninitialized-read -- the tile cells outside the matrices are not set to zero
// line: 21
// C = A * B for 6x6 matrices in tiles of eight.
constexpr int kTile = 8;
constexpr int kSize = 6;

__global__ void Matmul(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int t = 0; t < kSize; t += kTile) {
    if (row < kSize && t + tx < kSize) a_tile[ty][tx] = a[row * kSize + t + tx];
    if (t + ty < kSize && col < kSize) b_tile[ty][tx] = b[(t + ty) * kSize + col];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();
  }
  if (row < kSize && col < kSize) c[row * kSize + col] = sum;
}
