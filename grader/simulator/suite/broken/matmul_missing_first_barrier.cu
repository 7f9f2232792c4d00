// check: --kernel Matmul --grid 2,2 --block 16,16 --arg float32[32,32]=uniform
//        --arg float32[32,32]=uniform --arg float32[32,32]=unwritten
// expect: race -- no barrier between loading the tiles and reading them
// line: 16, 17, 18
// C = A * B in shared tiles.
constexpr int kTile = 16;
constexpr int kSize = 32;

__global__ void Matmul(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < kSize; t += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * kSize + t + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * kSize + col];
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * kSize + col] = sum;
}
