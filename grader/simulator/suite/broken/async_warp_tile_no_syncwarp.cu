// check: --kernel WarpFlip --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- within a warp, too, a barrier must follow the wait
// line: 13, 16
// Each warp reverses its own 32 values.
#include <cuda_pipeline.h>

__global__ void WarpFlip(const float* x, float* out) {
  __shared__ float tiles[2][32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int base = blockIdx.x * 64 + warp * 32;
  __pipeline_memcpy_async(&tiles[warp][lane], &x[base + lane], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[base + lane] = tiles[warp][31 - lane];
}
