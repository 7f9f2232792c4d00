// check: --kernel WarpRows --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[128]=unwritten
// expect: race -- no warp barrier before the tile is filled again
// line: 15, 19
// Each warp works through four rows in its own tile.
#include <cuda_pipeline.h>

__global__ void WarpRows(const float* x, float* out) {
  __shared__ float tiles[2][32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * 2 + warp;
  float sum = 0.0f;
  for (int r = 0; r < 4; ++r) {
    __pipeline_memcpy_async(&tiles[warp][lane], &x[(row * 4 + r) * 32 + lane], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    sum += tiles[warp][(lane + 7) % 32];
  }
  out[row * 32 + lane] = sum;
}
