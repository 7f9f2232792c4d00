// expect: technique/10=fail -- vectors along p, and each operand is used for one result
#include <tessera/lab.cuh>
constexpr int TILE = 64, DEPTH = 32, SIDE = 32;
__device__ const float4& four(const float& f) {
  return reinterpret_cast<const float4&>(f);
}
// no operand is used twice: each element of C is added up by itself, in four loops one after the
// other
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ alignas(16) float As[TILE][DEPTH + 4];
  __shared__ alignas(16) float Bs[TILE][DEPTH + 4];  // transposed
  const int t = threadIdx.x;
  const int r0 = t / 32 / 4 * 4 + t % 4, c0 = t / 32 % 4 * 8 + t % 32 / 4;  // warp: 4 x 8
  float sums[4] = {};
  for (int start = 0; start < A.width; start += DEPTH) {
#pragma unroll
    for (int i = t; i < TILE * DEPTH; i += 1024) {
      const int r = i / DEPTH, c = i % DEPTH;
      As[r][c] = start + c < A.width ? A(blockIdx.y * TILE + r, start + c) : 0.0f;
      const int p = i / TILE, q = i % TILE;
      Bs[q][p] = start + p < A.width ? B(start + p, blockIdx.x * TILE + q) : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int r = r0 + e / 2 * 32, c = c0 + e % 2 * 32;
#pragma unroll 1
      for (int p = 0; p < DEPTH; p += 4) {
        const float4 a = four(As[r][p]), b = four(Bs[c][p]);
        sums[e] += a.x * b.x;
        sums[e] += a.y * b.y;
        sums[e] += a.z * b.z;
        sums[e] += a.w * b.w;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < 4; ++e)
    C(blockIdx.y * TILE + r0 + e / 2 * 32, blockIdx.x * TILE + c0 + e % 2 * 32) = sums[e];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(1024), 0};
}
