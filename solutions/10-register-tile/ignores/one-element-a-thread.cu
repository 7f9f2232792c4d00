// expect: technique/1=fail -- tiles of 16 x 16 and one element a thread
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int row = threadIdx.y, col = threadIdx.x;
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
  float sum = 0.0f;
  for (int start = 0; start < A.width; start += TILE) {
    As[row][col] = start + col < A.width ? A(first_row + row, start + col) : 0.0f;
    Bs[row][col] = start + row < A.width ? B(start + row, first_col + col) : 0.0f;
    __syncthreads();
    for (int p = 0; p < TILE; ++p) sum += As[row][p] * Bs[p][col];
    __syncthreads();
  }
  C(first_row + row, first_col + col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(TILE, TILE), 0};
}
