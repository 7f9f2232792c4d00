// check: --kernel RotateRows --grid 2 --block 128 --arg float32[768]=uniform
//        --arg float32[256]=unwritten
// Every warp has a tile of its own, so a warp barrier is enough.
#include <cuda_pipeline.h>

__global__ void RotateRows(const float* x, float* out) {
  __shared__ float tiles[4][32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int global_warp = blockIdx.x * 4 + warp;
  const float* rows = x + global_warp * 96;
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r) {
    __pipeline_memcpy_async(&tiles[warp][lane], &rows[r * 32 + lane], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    sum += tiles[warp][(lane + r + 1) % 32];
    __syncwarp();
  }
  out[global_warp * 32 + lane] = sum;
}
