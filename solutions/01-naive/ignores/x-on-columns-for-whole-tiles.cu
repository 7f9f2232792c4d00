// expect: technique/2=fail, technique/4=fail -- x on columns only for multiples of 32
#include <tessera/lab.cuh>

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const bool whole = m % 32 == 0 && n % 32 == 0;
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int row = whole ? y : x, col = whole ? x : y;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  if (m % 32 == 0 && n % 32 == 0) return {dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16), 0};
  return {dim3(ceil_div(m, 16), ceil_div(n, 16)), dim3(16, 16), 0};
}
