// check: --kernel Rotate --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- the tile belongs to both warps, but the barrier only to one
// line: 12, 16
// Rotates the slice of a block by half its length.
#include <cuda_pipeline.h>

__global__ void Rotate(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  out[base + tid] = tile[(tid + 32) % 64];
}
