// expect: technique/7=fail -- right, but eight threads a block load pieces of 16 bytes
#include <tessera/lab.cuh>
constexpr int T = 4;
__device__ void slow_tile(const float* A, const float* B, float* C, int m, int n, int k, int row,
                          int col) {
  for (int i = row; i < m && i < row + T; ++i)
    for (int j = col; j < n && j < col + T; ++j) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += A[i * k + p] * B[p * n + j];
      C[i * n + j] = sum;
    }
}
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.y * T, col = (blockIdx.x * 8 + threadIdx.x) * T;
  if (n % 4 != 0 || k % 4 != 0) return slow_tile(A, B, C, m, n, k, row, col);
  if (col >= n) return;
  float sum[T][T] = {};
  for (int p = 0; p < k; p += 4) {
    float4 b[4][1];
#pragma unroll
    for (int q = 0; q < 4; ++q)
#pragma unroll
      for (int h = 0; h < 1; ++h)
        b[q][h] = *reinterpret_cast<const float4*>(B + (p + q) * n + col + 4 * h);
#pragma unroll
    for (int i = 0; i < T; ++i) {
      if (row + i >= m) continue;
      const float4 a = *reinterpret_cast<const float4*>(A + (row + i) * k + p);
      const float as[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
      for (int q = 0; q < 4; ++q)
#pragma unroll
        for (int h = 0; h < 1; ++h) {
          sum[i][4 * h + 0] += as[q] * b[q][h].x;
          sum[i][4 * h + 1] += as[q] * b[q][h].y;
          sum[i][4 * h + 2] += as[q] * b[q][h].z;
          sum[i][4 * h + 3] += as[q] * b[q][h].w;
        }
    }
  }
#pragma unroll
  for (int i = 0; i < T; ++i) {
    if (row + i >= m) continue;
#pragma unroll
    for (int h = 0; h < 1; ++h)
      *reinterpret_cast<float4*>(C + (row + i) * n + col + 4 * h) =
          make_float4(sum[i][4 * h], sum[i][4 * h + 1], sum[i][4 * h + 2], sum[i][4 * h + 3]);
  }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, 8 * T), ceil_div(m, T)), dim3(8), 0};
}
