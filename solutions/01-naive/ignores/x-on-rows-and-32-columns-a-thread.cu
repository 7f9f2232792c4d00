// expect: technique/4=fail -- right, but a warp walks down a column, which its many loads of B
// hide
#include <tessera/lab.cuh>

constexpr int BLOCK = 128;
constexpr int COLUMNS = 32;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.x * BLOCK + threadIdx.x;
  const int first = blockIdx.y * COLUMNS;
  if (row >= m) return;

  float sum[COLUMNS] = {};
  for (int p = 0; p < k; ++p) {
    const float a = A[row * k + p];
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) {
      if (first + c < n) sum[c] += a * B[p * n + first + c];
    }
  }
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) {
    if (first + c < n) C[row * n + first + c] = sum[c];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, BLOCK), ceil_div(n, COLUMNS)), dim3(BLOCK), 0};
}
