// expect: technique/9=fail -- mma_m16n8k16 without tiles, beside copies that no thread reads
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>
#include <tessera/mma.cuh>
constexpr int WR = 128, WC = 128;  // of a warp
constexpr int WARPS_DOWN = 1, WARPS_ACROSS = 2;
constexpr int THREADS = 32 * WARPS_DOWN * WARPS_ACROSS;
constexpr int ROWS = WR * WARPS_DOWN, COLS = WC * WARPS_ACROSS;
using M = Matrix<const __nv_bfloat16>;
__device__ __forceinline__ uint4 ld(const __nv_bfloat16& p) {
  return reinterpret_cast<const uint4&>(p);
}
struct Raw {
  uint4 a[WR / 16][2];
  uint4 b[WC / 64][8];
};
__device__ __forceinline__ void fetch(Raw& to, M A, M B, int row, int col, int k0) {
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
  for (int i = 0; i < WR / 16; ++i) {
    to.a[i][0] = ld(A(row + 16 * i + g, k0 + 8 * t));
    to.a[i][1] = ld(A(row + 16 * i + g + 8, k0 + 8 * t));
  }
#pragma unroll
  for (int j = 0; j < WC / 64; ++j)
#pragma unroll
    for (int r = 0; r < 8; ++r) to.b[j][r] = ld(B(k0 + 8 * t + r, col + 64 * j + 8 * g));
}
__device__ __forceinline__ unsigned word(uint4 v, int w) {
  return w == 0 ? v.x : w == 1 ? v.y : w == 2 ? v.z : v.w;
}
__device__ __forceinline__ unsigned pair(uint4 lo, uint4 hi, int j) {
  return __byte_perm(word(lo, j / 2), word(hi, j / 2), j % 2 == 0 ? 0x5410 : 0x7632);
}
__device__ __forceinline__ void multiply(float (&sums)[WR / 16][WC / 8][4], const Raw& f) {
#pragma unroll
  for (int s = 0; s < 2; ++s) {
    unsigned a[WR / 16][4];
#pragma unroll
    for (int i = 0; i < WR / 16; ++i) {
      a[i][0] = word(f.a[i][0], 2 * s);
      a[i][1] = word(f.a[i][1], 2 * s);
      a[i][2] = word(f.a[i][0], 2 * s + 1);
      a[i][3] = word(f.a[i][1], 2 * s + 1);
    }
#pragma unroll
    for (int jj = 0; jj < WC / 64; ++jj)
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const unsigned b0 = pair(f.b[jj][4 * s], f.b[jj][4 * s + 1], j);
        const unsigned b1 = pair(f.b[jj][4 * s + 2], f.b[jj][4 * s + 3], j);
#pragma unroll
        for (int i = 0; i < WR / 16; ++i) mma_m16n8k16(sums[i][8 * jj + j], a[i], b0, b1);
      }
  }
}
__global__ void matmul(M A, M B, Matrix<float> C) {
  extern __shared__ __align__(16) __nv_bfloat16 trash[];
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.y * ROWS + warp / WARPS_ACROSS * WR,
            col = blockIdx.x * COLS + warp % WARPS_ACROSS * WC;
  float sums[WR / 16][WC / 8][4] = {};
  Raw f;
  fetch(f, A, B, row, col, 0);
  for (int k0 = 0; k0 < A.width; k0 += 32) {
    Raw next;
    if (k0 + 32 < A.width) fetch(next, A, B, row, col, k0 + 32);
#pragma unroll
    for (int d = 0; d < 18; ++d)
      __pipeline_memcpy_async(&trash[((k0 / 32 % 2 * 18 + d) * THREADS + threadIdx.x) * 8],
                              &B(0, threadIdx.x % 32 * 8), 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);

    multiply(sums, f);
    f = next;
  }
  __pipeline_wait_prior(0);
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
  for (int i = 0; i < WR / 16; ++i)
#pragma unroll
    for (int jj = 0; jj < WC / 64; ++jj)
#pragma unroll
      for (int h = 0; h < 2; ++h)
#pragma unroll
        for (int q = 0; q < 4; ++q) {  // four floats: c = 2t + q / 2, j = q % 2 * 4 + ...
          const int e = 2 * h + q / 2, j = 8 * jj + q % 2 * 4;
          float* to =
              &C(row + 16 * i + 8 * h + g, col + 64 * jj + 16 * t + 8 * (q / 2) + q % 2 * 4);
          reinterpret_cast<float2*>(to)[0] = make_float2(sums[i][j][e], sums[i][j + 1][e]);
          reinterpret_cast<float2*>(to)[1] = make_float2(sums[i][j + 2][e], sums[i][j + 3][e]);
        }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), 36 * THREADS * 16};
}
