// The first tiles are loaded before the loop, and the last phase follows it.
#include <tessera/lab.cuh>
constexpr int TILE = 128, DEPTH = 8;
__device__ float4& four(float& x) {
  return reinterpret_cast<float4&>(x);
}
__device__ const float4& four(const float& x) {
  return reinterpret_cast<const float4&>(x);
}

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ alignas(16) float As[2][DEPTH][TILE + 4];
  __shared__ alignas(16) float Bs[2][DEPTH][TILE];
  const int t = threadIdx.x, ar = t / 2, ac = t % 2 * 4, br = t / 32, bc = t % 32 * 4,
            ty = t / 16 * 4, tx = t % 16 * 4;
  const int r0 = blockIdx.y * TILE, c0 = blockIdx.x * TILE;
  float sums[8][8] = {};
  float4 a = four(A(r0 + ar, ac));
  float4 b = four(B(br, c0 + bc));
  As[0][ac][ar] = a.x;
  As[0][ac + 1][ar] = a.y;
  As[0][ac + 2][ar] = a.z;
  As[0][ac + 3][ar] = a.w;
  four(Bs[0][br][bc]) = b;
  __syncthreads();
  int now = 0;
  for (int k = DEPTH; k < A.width; k += DEPTH) {
    a = four(A(r0 + ar, k + ac));  // the next tiles begin to travel
    b = four(B(k + br, c0 + bc));
#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      float x[8], y[8];
      four(x[0]) = four(As[now][p][ty]);
      four(x[4]) = four(As[now][p][ty + 64]);
      four(y[0]) = four(Bs[now][p][tx]);
      four(y[4]) = four(Bs[now][p][tx + 64]);
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += x[i] * y[j];
    }
    now ^= 1;
    As[now][ac][ar] = a.x;
    As[now][ac + 1][ar] = a.y;
    As[now][ac + 2][ar] = a.z;
    As[now][ac + 3][ar] = a.w;
    four(Bs[now][br][bc]) = b;
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < DEPTH; ++p) {
    float x[8], y[8];
    four(x[0]) = four(As[now][p][ty]);
    four(x[4]) = four(As[now][p][ty + 64]);
    four(y[0]) = four(Bs[now][p][tx]);
    four(y[4]) = four(Bs[now][p][tx + 64]);
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j) sums[i][j] += x[i] * y[j];
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      C(r0 + ty + i % 4 + i / 4 * 64, c0 + tx + j % 4 + j / 4 * 64) = sums[i][j];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(256), 0};
}
