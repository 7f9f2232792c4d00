// check: --kernel Rotate --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- a fence after the wait orders this thread only and waits for no other
// line: 12, 16
// Rotates the slice of a block by one.
#include <cuda_pipeline.h>

__global__ void Rotate(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __threadfence_block();
  out[base + tid] = tile[(tid + 1) % 64];
}
