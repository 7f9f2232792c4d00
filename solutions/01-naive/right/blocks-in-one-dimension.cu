// A thread's number, divided by n, is its row; the remainder is its column.
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int place = blockIdx.x * BLOCK + threadIdx.x;
  if (place >= m * n) return;
  const int row = place / n;
  const int col = place % n;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[place] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m * n, BLOCK)), dim3(BLOCK), 0};
}
