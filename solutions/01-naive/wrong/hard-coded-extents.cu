// expect: out-of-bounds -- written for one shape: the extents are constants
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;
constexpr int M = 128, N = 96, K = 160;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= M || col >= N) return;

  float sum = 0.0f;
  for (int p = 0; p < K; ++p) {
    sum += A[row * K + p] * B[p * N + col];
  }
  C[row * N + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
