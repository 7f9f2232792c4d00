// check: --kernel RotateRows --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- there is one group, and the wait lets one group travel on
// line: 16
// Rotates each block's slice by three.
#include <cuda_pipeline.h>

__global__ void RotateRows(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[base + tid] = tile[(tid + 3) % 64];
}
