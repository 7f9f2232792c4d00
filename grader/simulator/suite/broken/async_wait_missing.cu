// check: --kernel Reverse --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- a barrier does not wait for copies, and there is no wait at all
// line: 15
// Reverses each block's slice through a tile.
#include <cuda_pipeline.h>

__global__ void Reverse(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_commit();
  __syncthreads();
  out[base + tid] = tile[63 - tid];
}
