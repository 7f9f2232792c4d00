// expect: technique/1=fail, technique/2=fail -- right, but nothing is kept in shared memory
#include <tessera/lab.cuh>

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = threadIdx.y;
  const int col = threadIdx.x;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += A[row * k + p] * B[p * n + col];
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(1), dim3(n, m), 0};
}
