// expect: technique/13=fail -- lanes hand elements on bit by bit, by votes
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE * TILE], Bs[TILE * TILE];
  const int x = threadIdx.x, y = threadIdx.y, t = y * TILE + x, lane = t % 32;
  const int row0 = blockIdx.x * TILE, col0 = blockIdx.y * TILE;
  float sum = 0;
  for (int start = 0; start < k; start += TILE) {
    As[t] = A[(row0 + y) * k + start + x];
    Bs[t] = B[(start + y) * n + col0 + x];
    __syncthreads();
    unsigned bits[32];  // bit b of the elements of row x
#pragma unroll
    for (int b = 0; b < 32; ++b) bits[b] = 0;
#pragma unroll 1
    for (int j = 0; j < 8; ++j) {
      const unsigned word = __float_as_uint(As[lane + 32 * j]);
#pragma unroll
      for (int b = 0; b < 32; ++b) {
        const unsigned all = __ballot_sync(~0u, word >> b & 1);
        if (x / 2 == j) bits[b] = x % 2 ? all >> 16 : all & 0xffff;
      }
    }
#pragma unroll 1
    for (int p = 0; p < TILE; ++p) {
      unsigned word = 0;
#pragma unroll
      for (int b = 0; b < 32; ++b) word |= (bits[b] >> p & 1) << b;
      sum += __uint_as_float(word) * Bs[p * TILE + y];
    }
    __syncthreads();
  }
  C[(row0 + x) * n + col0 + y] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / TILE, n / TILE), dim3(TILE, TILE), 0};
}
