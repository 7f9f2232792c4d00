// expect: technique/5=fail -- one load fetches a column of A once and broadcasts of B sixteen times
#include <tessera/lab.cuh>
constexpr int COLS = 16;
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float turn[32][COLS + 1];
  const int lane = threadIdx.x;
  const int row = blockIdx.y * 32 + lane;
  const int col0 = blockIdx.x * COLS;
  float sum[COLS];
#pragma unroll
  for (int j = 0; j < COLS; ++j) sum[j] = 0;
  const int safe = row < m ? row : m - 1;
  for (int p = 0; p < k; ++p) {
    const float* from = A + safe * k + p;
    float a = 0;
    float b[COLS];
#pragma unroll 1
    for (int q = 0; q <= COLS; ++q) {
      const float v = *from;
      if (q == 0)
        a = v;
      else
        turn[lane][q - 1] = v;
      const int c = col0 + q;
      from = B + p * n + (c < n ? c : n - 1);
    }
#pragma unroll
    for (int j = 0; j < COLS; ++j) b[j] = turn[lane][j];
#pragma unroll
    for (int j = 0; j < COLS; ++j) sum[j] += a * b[j];
  }
#pragma unroll
  for (int j = 0; j < COLS; ++j) turn[lane][j] = sum[j];
  __syncthreads();
  for (int r = lane / COLS; r < 32; r += 32 / COLS) {
    const int y = blockIdx.y * 32 + r, x = col0 + lane % COLS;
    if (y < m && x < n) C[y * n + x] = turn[r][lane % COLS];
  }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, COLS), ceil_div(m, 32)), dim3(32), 0};
}
