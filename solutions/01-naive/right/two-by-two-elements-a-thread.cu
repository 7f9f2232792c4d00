// A thread computes two rows of two columns that lie 16 apart, so that warps load neighbours.
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;
constexpr int EACH = 2;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.y * BLOCK * EACH + threadIdx.y;
  const int col = blockIdx.x * BLOCK * EACH + threadIdx.x;
  float sum[EACH][EACH] = {};
  for (int p = 0; p < k; ++p) {
    float a[EACH];
    float b[EACH];
    for (int e = 0; e < EACH; ++e) {
      a[e] = row + e * BLOCK < m ? A[(row + e * BLOCK) * k + p] : 0.0f;
      b[e] = col + e * BLOCK < n ? B[p * n + col + e * BLOCK] : 0.0f;
    }
    for (int i = 0; i < EACH; ++i) {
      for (int j = 0; j < EACH; ++j) sum[i][j] += a[i] * b[j];
    }
  }
  for (int i = 0; i < EACH; ++i) {
    for (int j = 0; j < EACH; ++j) {
      if (row + i * BLOCK < m && col + j * BLOCK < n)
        C[(row + i * BLOCK) * n + col + j * BLOCK] = sum[i][j];
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK * EACH), ceil_div(m, BLOCK * EACH)), dim3(BLOCK, BLOCK), 0};
}
