// S5's kernel CC (threadIdx.x on rows, both tiles stored transposed) with tiles whose size and
// place the source fixes.
#include <tessera/lab.cuh>

__global__ void fixed(const float* A, const float* B, float* C, int n) {
  __shared__ float At[BLOCK][BLOCK];  // At[p][i]: element (i, p) of A's tile
  __shared__ float Bt[BLOCK][BLOCK];  // Bt[j][p]: element (p, j) of B's tile
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * BLOCK + i;
  const int col = blockIdx.y * BLOCK + j;

  float sum = 0.0f;
  for (int start = 0; start < n; start += BLOCK) {
    At[j][i] = A[row * n + start + j];
    Bt[j][i] = B[(start + i) * n + col];
    __syncthreads();
    for (int p = 0; p < BLOCK; ++p) sum += At[p][i] * Bt[j][p];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / BLOCK, n / BLOCK), dim3(BLOCK, BLOCK), 0};
}
