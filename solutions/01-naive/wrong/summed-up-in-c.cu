// expect: not-finite -- adds to C, which was never set to zero
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= m || col >= n) return;

  for (int p = 0; p < k; ++p) {
    C[row * n + col] += A[row * k + p] * B[p * n + col];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
