// The naive product with threadIdx.x on rows.
//
// A warp covers 16 rows of 2 columns of C. In each step it reads an element of A from each of 16
// rows (16 sectors) and 2 neighbouring elements of B (1 sector); it stores into 16 rows (16
// sectors). n = 160: 256,000 global load requests, 2,176,000 sectors; 800 stores, 12,800 sectors.
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.x * BLOCK + threadIdx.x;
  const int col = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += A[row * k + p] * B[p * n + col];
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, BLOCK), ceil_div(n, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
