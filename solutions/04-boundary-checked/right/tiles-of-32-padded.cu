// Tiles of 32 x 32 with padded rows, and zeros at the edge.
#include <tessera/lab.cuh>

constexpr int TILE = 32;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int As[TILE][TILE + 1];
  __shared__ int Bs[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  int sum = 0;
  for (int start = 0; start < A.width; start += TILE) {
    const int A_col = start + threadIdx.x;
    const int B_row = start + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < A.height && A_col < A.width ? A(row, A_col) : 0;
    Bs[threadIdx.y][threadIdx.x] = B_row < B.height && col < B.width ? B(B_row, col) : 0;
    __syncthreads();
    for (int p = 0; p < TILE; ++p) sum += As[threadIdx.y][p] * Bs[p][threadIdx.x];
    __syncthreads();
  }
  if (row < C.height && col < C.width) C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
