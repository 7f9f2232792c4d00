// expect: technique/2=fail -- right, but every second block keeps its sums in registers alone
#include <tessera/lab.cuh>
constexpr int S = 64, K = 16;
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[S][K];
  __shared__ float Bs[K][S];
  const int t = threadIdx.x, y = t / 16, x = t % 16;
  const int row = blockIdx.y * S, col = blockIdx.x * S;
  const bool tiles = (blockIdx.x + blockIdx.y * gridDim.x) % 2 == 0;
  float sum[16][4] = {};
  if (tiles) {
    for (int p0 = 0; p0 < A.width; p0 += K) {
      for (int e = t; e < S * K; e += 64) {
        As[e / K][e % K] = row + e / K < A.height ? A(row + e / K, p0 + e % K) : 0.0f;
        Bs[e / S][e % S] = col + e % S < B.width ? B(p0 + e / S, col + e % S) : 0.0f;
      }
      __syncthreads();
      for (int p = 0; p < K; ++p)
#pragma unroll
        for (int i = 0; i < 16; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j) sum[i][j] += As[y + 4 * i][p] * Bs[p][x + 16 * j];
      __syncthreads();
    }
  } else {
    for (int p = 0; p < A.width; ++p) {
      float b[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) b[j] = col + x + 16 * j < B.width ? B(p, col + x + 16 * j) : 0.0f;
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const float a = row + y + 4 * i < A.height ? A(row + y + 4 * i, p) : 0.0f;
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += a * b[j];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (row + y + 4 * i < C.height && col + x + 16 * j < C.width)
        C(row + y + 4 * i, col + x + 16 * j) = sum[i][j];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, S), ceil_div(m, S)), dim3(64), 0};
}
