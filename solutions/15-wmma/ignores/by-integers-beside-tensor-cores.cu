// expect: technique/2=fail -- the products are added in integers; the tensor cores multiply zeros
#include <cuda_bf16.h>

#include <tessera/lab.cuh>
#include <tessera/mma.cuh>
constexpr int ROWS = 128, COLS = 128, DEPTH = 16;
// fixed point: 24 bits after the point, by moving the exponent; products in 64-bit integers
__device__ __forceinline__ int fixed(unsigned short bits) {
  const unsigned e = bits & 0x7f80u;
  const unsigned moved = e < (24u << 7) ? bits : bits;  // zero stays zero
  return (bits & 0x7fffu) == 0 ? 0 : __float2int_rn(__uint_as_float((moved + (20u << 7)) << 16));
}
__global__ void matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B,
                       Matrix<float> C) {
  __shared__ alignas(16) unsigned short As[DEPTH][ROWS + 8];
  __shared__ alignas(16) unsigned short Bs[DEPTH][COLS + 8];
  const int t = threadIdx.x, y = t / 16, x = t % 16;
  long long sums[8][8] = {};
  float dead[4] = {};
  const unsigned zero[4] = {};
  const auto At = A.view(blockIdx.y * ROWS, 0, ROWS, A.width);
  const int n0 = blockIdx.x * COLS;
  for (int start = 0; start < A.width; start += DEPTH) {
    {
      const int r = t / 2, c = t % 2 * 8;
      const uint4 v = reinterpret_cast<const uint4&>(At(r, start + c));
      const unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) As[c + i][r] = (unsigned short)(w[i / 2] >> (i % 2 * 16));
      const int br = t / 16, bc = t % 16 * 8;
      reinterpret_cast<uint4&>(Bs[br][bc]) =
          n0 + bc < B.width ? reinterpret_cast<const uint4&>(B(start + br, n0 + bc))
                            : make_uint4(0, 0, 0, 0);
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      const uint4 va = reinterpret_cast<const uint4&>(As[p][y * 8]),
                  vb = reinterpret_cast<const uint4&>(Bs[p][x * 8]);
      const unsigned wa[4] = {va.x, va.y, va.z, va.w}, wb[4] = {vb.x, vb.y, vb.z, vb.w};
      int a[8], b[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        a[i] = fixed((unsigned short)(wa[i / 2] >> (i % 2 * 16)));
        b[i] = fixed((unsigned short)(wb[i / 2] >> (i % 2 * 16)));
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += (long long)a[i] * b[j];
      if (p < 16) mma_m16n8k16(dead, zero, 0u, 0u);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const float f = __ll2float_rn(sums[i][j]);
      if (n0 + x * 8 + j < C.width)
        C(blockIdx.y * ROWS + y * 8 + i, n0 + x * 8 + j) =
            sums[i][j] == 0 ? 0.0f : __uint_as_float(__float_as_uint(f) - (40u << 23));
    }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3((n + COLS - 1) / COLS, m / ROWS), dim3(256), 0};
}
