// expect: technique/6=fail -- a warp computes 32 columns alone, the others nothing
#include <tessera/lab.cuh>
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  if (blockIdx.y > 0) {
    unsigned x = threadIdx.x + 1;
    for (int s = 0; s < m * k; ++s) x = x * 1664525u + 1013904223u + (x >> 16);
    if (x == 4242424242u && n < 0) C[0] = 1;
    return;
  }
  if (col >= n) return;
  for (int row = 0; row < m; ++row) {
    float sum = 0;
    for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
    C[row * n + col] = sum;
  }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 32), ceil_div(m, 16)), dim3(32), 0};
}
