// check: --kernel Smooth --grid 2 --block 64 --arg float32[130]=uniform
//        --arg float32[128]=unwritten
// expect: race -- the barrier stands before the wait instead of after it
// line: 12, 13, 17
// Three-point sum with a halo.
#include <cuda_pipeline.h>

__global__ void Smooth(const float* x, float* out) {
  __shared__ float tile[66];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  if (tid < 2) __pipeline_memcpy_async(&tile[64 + tid], &x[base + 64 + tid], sizeof(float));
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[base + tid] = tile[tid] + tile[tid + 1] + tile[tid + 2];
}
