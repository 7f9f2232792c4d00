// C = A B with one element a thread, for blocks of BLOCK x BLOCK threads and tiles as large.
//
// A warp reads neighbouring elements of a row of A's and B's tiles, so that neither global nor
// shared memory is wasted: only the number of threads that a multiprocessor holds differs.
#include <tessera/lab.cuh>

__global__ void tiled(const float* A, const float* B, float* C, int n) {
  __shared__ float As[BLOCK][BLOCK];
  __shared__ float Bs[BLOCK][BLOCK];
  const int i = threadIdx.y;
  const int j = threadIdx.x;
  const int row = blockIdx.y * BLOCK + i;
  const int col = blockIdx.x * BLOCK + j;

  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    As[i][j] = A[row * n + start + j];
    Bs[i][j] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < BLOCK; ++p) sum += As[i][p] * Bs[p][j];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / BLOCK, m / BLOCK), dim3(BLOCK, BLOCK), 0};
}
