// expect: technique/6=fail -- right, but a single warp computes all of C
#include <tessera/lab.cuh>
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  for (int row = 0; row < m; ++row)
    for (int col = threadIdx.x; col < n; col += 32) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
      C[row * n + col] = sum;
    }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(1), dim3(32), 0};
}
