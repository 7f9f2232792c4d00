// expect: technique/1=fail -- right, but every use of an element is a load
#include <tessera/lab.cuh>

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = threadIdx.x;
  if (row >= m) return;
  for (int col = 0; col < n; ++col) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(1), dim3(m), 0};
}
