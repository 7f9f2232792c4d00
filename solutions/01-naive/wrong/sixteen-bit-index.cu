// expect: race -- indices above 65,535 do not fit in 16 bits, so two threads get the same one
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    const unsigned short a = row * k + p;
    const unsigned short b = p * n + col;
    sum += A[a] * B[b];
  }
  const unsigned short c = row * n + col;
  C[c] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK)};
}
