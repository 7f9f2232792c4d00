// expect: out-of-bounds -- the loop runs to p == k and adds one product too many
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p <= k; ++p) {
    sum += A[row * k + p] * B[p * n + col];
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
