// check: --kernel Smooth --grid 2 --block 64 --arg float32[130]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- threads without a halo cell commit one group, and the wait leaves one
// line: 20
// Three-point sum; first the tile without its halo is used, then all of it.
#include <cuda_pipeline.h>

__global__ void Smooth(const float* x, float* out) {
  __shared__ float tile[66];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_commit();
  if (tid < 2) {
    __pipeline_memcpy_async(&tile[64 + tid], &x[base + 64 + tid], sizeof(float));
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  const float own = tile[63 - tid];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[base + tid] = own + tile[tid + 1] + tile[tid + 2];
}
