// expect: technique/5=fail -- a warp loads down a column of A, and turns its sums for the stores
#include <tessera/lab.cuh>
constexpr int EACH = 16;
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float out[32][EACH + 1];
  const int t = threadIdx.x;
  const int row = blockIdx.x * 32 + t;
  const int col = blockIdx.y * EACH;
  float sum[EACH] = {};
  if (row < m)
    for (int p = 0; p < k; ++p) {
      const float a = A[row * k + p];
      for (int c = 0; c < EACH; ++c)
        if (col + c < n) sum[c] += a * B[p * n + col + c];
    }
  for (int c = 0; c < EACH; ++c) out[t][c] = sum[c];
  __syncthreads();
  for (int e = t; e < 32 * EACH; e += 32) {
    const int r = blockIdx.x * 32 + e / EACH, c = col + e % EACH;
    if (r < m && c < n) C[r * n + c] = out[e / EACH][e % EACH];
  }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, 32), ceil_div(n, EACH)), dim3(32), 0};
}
