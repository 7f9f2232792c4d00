// check: --kernel RaggedMatmul --grid 6,5 --block 8,8 --arg float32[37,29]=uniform
//        --arg float32[29,45]=uniform --arg float32[37,45]=unwritten
// expect: clean
// C = A * B whose sizes are no multiples of the tile: cells outside count as zero.
constexpr int kTile = 8;
constexpr int kM = 37;
constexpr int kK = 29;
constexpr int kN = 45;

__global__ void RaggedMatmul(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int t = 0; t < kK; t += kTile) {
    a_tile[ty][tx] = row < kM && t + tx < kK ? a[row * kK + t + tx] : 0.0f;
    b_tile[ty][tx] = t + ty < kK && col < kN ? b[(t + ty) * kN + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[ty][k] * b_tile[k][tx];
    __syncthreads();
  }
  if (row < kM && col < kN) c[row * kN + col] = sum;
}
