// expect: technique/12=fail -- lanes hand elements on bit by bit, by votes
#include <tessera/lab.cuh>

constexpr int TILE = 32, WARPS = 4;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ unsigned finished[WARPS][TILE];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int row0 = (blockIdx.y * WARPS + warp) * TILE, col0 = blockIdx.x * TILE;
  if (row0 >= A.height) return;
  unsigned bits[32];  // bit b of the elements of row `lane`
#pragma unroll
  for (int b = 0; b < 32; ++b) bits[b] = 0;
#pragma unroll 1
  for (int i = 0; i < TILE; ++i) {
    const bool inside = row0 + i < A.height && col0 + lane < A.width;
    const unsigned word = inside ? __float_as_uint(A(row0 + i, col0 + lane)) : 0;
#pragma unroll
    for (int b = 0; b < 32; ++b) {
      const unsigned all = __ballot_sync(~0u, word >> b & 1);
      if (lane == i) bits[b] = all;
    }
  }
#pragma unroll 1
  for (int j = 0; j < TILE; ++j) {
    unsigned word = 0;
#pragma unroll
    for (int b = 0; b < 32; ++b) word |= (bits[b] >> j & 1) << b;
    finished[warp][lane] = word;
    __syncwarp();
    const int other = lane ^ 1;
    const unsigned mine = finished[warp][other];
    __syncwarp();
    if (col0 + j < A.width && row0 + other < A.height)
      B(col0 + j, row0 + other) = __uint_as_float(mine);
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE * WARPS)), dim3(TILE, WARPS), 0};
}
