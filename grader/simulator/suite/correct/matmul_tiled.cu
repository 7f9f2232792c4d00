// check: --kernel Matmul --grid 3,3 --block 16,16 --arg float32[48,48]=uniform
//        --arg float32[48,48]=uniform --arg float32[48,48]=unwritten
// expect: clean
// C = A * B for 48x48 matrices in shared 16x16 tiles.
constexpr int kTile = 16;
constexpr int kSize = 48;

__global__ void Matmul(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < kSize; t += kTile) {
    a_tile[threadIdx.y][threadIdx.x] = a[row * kSize + t + threadIdx.x];
    b_tile[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * kSize + col];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  c[row * kSize + col] = sum;
}
