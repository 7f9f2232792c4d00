// expect: technique/4=fail -- each warp loads its fragments from global memory, in pairs
#include <cuda_bf16.h>

#include <tessera/lab.cuh>
#include <tessera/mma.cuh>

constexpr int ROWS = 32;  // a warp, which is a block, computes ROWS x COLS elements of C
constexpr int COLS = 64;

__device__ unsigned pair(__nv_bfloat16 low, __nv_bfloat16 high) {
  return static_cast<unsigned>(__bfloat16_as_ushort(high)) << 16 | __bfloat16_as_ushort(low);
}

__global__ void matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B,
                       Matrix<float> C) {
  const int row = blockIdx.y * ROWS + threadIdx.x / 4;
  const int col = blockIdx.x * COLS;
  const int t = threadIdx.x % 4 * 2;
  float sums[ROWS / 16][COLS / 8][4] = {};
  for (int p = 0; p < A.width; p += 16) {
    unsigned a[ROWS / 16][4];
#pragma unroll
    for (int i = 0; i < ROWS / 16; ++i) {
#pragma unroll
      for (int e = 0; e < 4; ++e)
        a[i][e] = reinterpret_cast<const unsigned&>(A(row + 16 * i + e % 2 * 8, p + e / 2 * 8 + t));
    }
#pragma unroll
    for (int j = 0; j < COLS / 8; ++j) {
      const int at = col + 8 * j + threadIdx.x / 4;
      const unsigned b0 = pair(B(p + t, at), B(p + t + 1, at));
      const unsigned b1 = pair(B(p + t + 8, at), B(p + t + 9, at));
#pragma unroll
      for (int i = 0; i < ROWS / 16; ++i) mma_m16n8k16(sums[i][j], a[i], b0, b1);
    }
  }
#pragma unroll
  for (int i = 0; i < ROWS / 16; ++i) {
#pragma unroll
    for (int j = 0; j < COLS / 8; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e)
        C(row + 16 * i + e / 2 * 8, col + 8 * j + t + e % 2) = sums[i][j][e];
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(32), 0};
}
