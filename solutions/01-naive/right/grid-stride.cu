// Few blocks of 32 x 8 threads, which walk over C in both directions.
#include <tessera/lab.cuh>

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  for (int row = blockIdx.y * 8 + threadIdx.y; row < m; row += gridDim.y * 8) {
    for (int col = blockIdx.x * 32 + threadIdx.x; col < n; col += gridDim.x * 32) {
      float sum = 0.0f;
      for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
      C[row * n + col] = sum;
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(2, 3), dim3(32, 8), 0};
}
