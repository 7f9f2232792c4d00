// check: --kernel HalfRows --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// Sixteen lanes share a tile and wait for one another only.
#include <cuda_pipeline.h>

__global__ void HalfRows(const float* x, float* out) {
  __shared__ float rows[4][16];
  const int row = threadIdx.x / 16;
  const int lane = threadIdx.x % 16;
  const unsigned mask = 0xffffu << (row % 2 * 16);
  __pipeline_memcpy_async(&rows[row][lane], &x[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp(mask);
  out[threadIdx.x] = rows[row][15 - lane];
}
