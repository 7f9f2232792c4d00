// Blocks of 32 x 8 threads: a thread moves four elements of its column.
#include <tessera/lab.cuh>

constexpr int TILE = 32;
constexpr int ROWS = 8;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[TILE][TILE + 1];
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += ROWS) {
    const int row = blockIdx.y * TILE + y;
    const int col = blockIdx.x * TILE + x;
    if (row < A.height && col < A.width) tile[y][x] = A(row, col);
  }
  __syncthreads();
  for (int y = threadIdx.y; y < TILE; y += ROWS) {
    const int row = blockIdx.x * TILE + y;
    const int col = blockIdx.y * TILE + x;
    if (row < B.height && col < B.width) B(row, col) = tile[x][y];
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, ROWS), 0};
}
