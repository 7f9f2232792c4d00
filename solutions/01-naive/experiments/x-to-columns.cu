// The naive product with threadIdx.x on columns.
//
// A warp covers 16 columns of 2 rows of C. In each step it reads 2 elements of A (2 sectors) and 16
// neighbouring elements of B (2 sectors); it stores 2 pieces of 64 bytes (4 sectors).
// n = 160: 256,000 global load requests, 512,000 sectors; 800 stores, 3,200 sectors.
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += A[row * k + p] * B[p * n + col];
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
