// expect: divergent-barrier -- half of the block does not reach the first barrier
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int row = threadIdx.y;
  const int col = threadIdx.x;
  const int first_row = blockIdx.y * TILE;
  const int first_col = blockIdx.x * TILE;

  float sum = 0.0f;
  for (int start = 0; start < A.width; start += TILE) {
    const Matrix<const float> A_tile = A.view(first_row, start, TILE, TILE);
    const Matrix<const float> B_tile = B.view(start, first_col, TILE, TILE);
    As[row][col] = A_tile(row, col);
    Bs[row][col] = B_tile(row, col);
    if (row < TILE / 2) __syncthreads();

    for (int p = 0; p < TILE; ++p) {
      sum += As[row][p] * Bs[p][col];
    }
    __syncthreads();
  }

  const Matrix<float> C_tile = C.view(first_row, first_col, TILE, TILE);
  C_tile(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
