// The tile of A stored as it is, the tile of B transposed (RC).
//
// threadIdx.x walks rows: a warp covers 16 rows (i) of 2 columns (j) of C.
// Reading As[i][p] goes down a column: 16 words in 2 banks, 8 wavefronts. Reading Bt[j][p] takes 2
// words in different banks. The store of As goes down a column (8 wavefronts), that of Bt does not.
// n = 160: 256,000 shared loads, 896,000 conflicts; 16,000 shared stores, 56,000 conflicts.
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];  // As[i][p]: element (i, p) of the tile of A
  __shared__ float Bt[TILE][TILE];  // Bt[j][p]: element (p, j) of the tile of B

  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    As[i][j] = A[row * k + start + j];
    Bt[j][i] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < TILE; ++p) {
      sum += As[i][p] * Bt[j][p];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
