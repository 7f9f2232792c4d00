// expect: technique/7=fail -- a tile without padding: 32 lanes store its column in 32 turns
#include <tessera/lab.cuh>

constexpr int TILE = 32;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
  const bool have = row + y < A.height && col + x < A.width;
  const float value = have ? A(row + y, col + x) : 0.0f;
  for (int turn = 0; turn < TILE; ++turn) {
    if (have && x == turn) tile[x][y] = value;
    __syncwarp();
  }
  __syncthreads();
  if (col + y < A.width && row + x < A.height) B(col + y, row + x) = tile[y][x];
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
