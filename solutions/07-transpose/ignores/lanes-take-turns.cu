// expect: technique/8=fail -- a tile without padding: 32 lanes read its column in 32 turns
#include <tessera/lab.cuh>

constexpr int TILE = 32;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
  if (row + y < A.height && col + x < A.width) tile[y][x] = A(row + y, col + x);
  __syncthreads();
  const bool have = col + y < A.width && row + x < A.height;
  float value = 0.0f;
  for (int turn = 0; turn < TILE; ++turn) {
    if (have && x == turn) value = tile[x][y];
    __syncwarp();
  }
  if (have) B(col + y, row + x) = value;
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
