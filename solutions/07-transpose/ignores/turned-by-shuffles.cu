// expect: technique/11=fail -- a warp transposes its tile in registers, by shuffles; its rows go
// through shared memory to the neighbouring lane only
#include <tessera/lab.cuh>

constexpr int TILE = 32;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float rows[TILE][TILE];
  const int lane = threadIdx.x;
  const int row = blockIdx.y * TILE;
  const int col = blockIdx.x * TILE;
  float v[TILE];
#pragma unroll
  for (int r = 0; r < TILE; ++r) {
    const bool inside = row + r < A.height && col + lane < A.width;
    rows[r][lane] = inside ? A(row + r, col + lane) : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < TILE; ++r) v[r] = rows[r][lane ^ 1];
    // In each step halves of a square change places: first 16 x 16, then 8 x 8 and so on.
#pragma unroll
  for (int half = TILE / 2; half > 0; half /= 2) {
    const bool upper = (lane & half) != 0;
#pragma unroll
    for (int r = 0; r < TILE; ++r) {
      if ((r & half) != 0) continue;
      const float given = upper ? v[r] : v[r | half];
      const float taken = __shfl_xor_sync(0xffffffff, given, half);
      if (upper) {
        v[r] = taken;
      } else {
        v[r | half] = taken;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < TILE; ++r) {
    const int to = col + (r ^ 1);
    if (to < B.height && row + lane < B.width) B(to, row + lane) = v[r];
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE), 0};
}
