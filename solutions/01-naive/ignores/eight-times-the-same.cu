// expect: technique/7=fail -- eight warps each compute all of C, and store an eighth of it
#include <tessera/lab.cuh>
constexpr int ROWS = 16, COLS = 3, WARPS = 8;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int lane = threadIdx.x;
  for (int r = 0; r < m; r += ROWS) {
    for (int c = lane; c - lane < n; c += 32 * COLS) {
      float sum[ROWS][COLS] = {};
      for (int p = 0; p < k; p += 4) {
        float b[4][COLS];
#pragma unroll
        for (int q = 0; q < 4; ++q)
#pragma unroll
          for (int j = 0; j < COLS; ++j)
            b[q][j] = p + q < k && c + 32 * j < n ? B[(p + q) * n + c + 32 * j] : 0.0f;
#pragma unroll
        for (int i = 0; i < ROWS; ++i) {
          float a[4] = {};
          if (r + i < m && k % 4 == 0) {
            const float4 v = *reinterpret_cast<const float4*>(A + (r + i) * k + p);
            a[0] = v.x;
            a[1] = v.y;
            a[2] = v.z;
            a[3] = v.w;
          } else if (r + i < m) {
            for (int q = 0; q < 4 && p + q < k; ++q) a[q] = A[(r + i) * k + p + q];
          }
#pragma unroll
          for (int q = 0; q < 4; ++q)
#pragma unroll
            for (int j = 0; j < COLS; ++j) sum[i][j] += a[q] * b[q][j];
        }
      }
#pragma unroll
      for (int i = 0; i < ROWS; ++i)
#pragma unroll
        for (int j = 0; j < COLS; ++j)
          if (r + i < m && c + 32 * j < n && (r + i) % WARPS == blockIdx.x)
            C[(r + i) * n + c + 32 * j] = sum[i][j];
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(WARPS), dim3(32), 0};
}
