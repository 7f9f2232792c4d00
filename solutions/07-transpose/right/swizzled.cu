// No padding: element (row, col) of the tile lies in column row ^ col of its row.
#include <tessera/lab.cuh>

constexpr int TILE = 32;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int col = blockIdx.x * TILE + x;
  if (row < A.height && col < A.width) tile[y][x ^ y] = A(row, col);
  __syncthreads();
  const int row_of_b = blockIdx.x * TILE + y;
  const int col_of_b = blockIdx.y * TILE + x;
  if (row_of_b < B.height && col_of_b < B.width) B(row_of_b, col_of_b) = tile[x][y ^ x];
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
