// The tile of A stored transposed, the tile of B as it is (CR).
//
// threadIdx.x walks rows: a warp covers 16 rows (i) of 2 columns (j) of C.
// Reading At[p][i] takes 16 neighbouring words, Bs[p][j] takes 2: 1 wavefront each. The store of Bs
// goes down a column: 32 words in 4 banks, 8 wavefronts; that of At does not.
// n = 160: 256,000 shared loads, no conflict; 16,000 shared stores, 56,000 conflicts.
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float At[TILE][TILE];  // At[p][i]: element (i, p) of the tile of A
  __shared__ float Bs[TILE][TILE];  // Bs[p][j]: element (p, j) of the tile of B

  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    At[j][i] = A[row * k + start + j];
    Bs[i][j] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < TILE; ++p) {
      sum += At[p][i] * Bs[p][j];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
