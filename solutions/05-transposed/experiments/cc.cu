// Both tiles stored transposed (CC).
//
// threadIdx.x walks rows: a warp covers 16 rows (i) of 2 columns (j) of C.
// Reading At[p][i] takes 16 neighbouring words, Bt[j][p] takes 2 in different banks: 1 wavefront
// each. Both stores take 32 neighbouring words.
// n = 160: 256,000 shared loads, no conflict; 16,000 shared stores, no conflict.
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float At[TILE][TILE];  // At[p][i]: element (i, p) of the tile of A
  __shared__ float Bt[TILE][TILE];  // Bt[j][p]: element (p, j) of the tile of B

  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    At[j][i] = A[row * k + start + j];
    Bt[j][i] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < TILE; ++p) {
      sum += At[p][i] * Bt[j][p];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
