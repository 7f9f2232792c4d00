// Element (i, j) of a tile lies in column j + 2 (i / 2) of its row, modulo 16, which spreads a
// column over the banks without padding.
#include <tessera/lab.cuh>

/// Where column j of row i is stored.
__device__ int moved(int i, int j) {
  return (j + 2 * (i / 2)) % 16;
}

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;
  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    As[i][moved(i, j)] = A[row * k + start + j];
    Bs[i][moved(i, j)] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < TILE; ++p) sum += As[i][moved(i, p)] * Bs[p][moved(p, j)];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
