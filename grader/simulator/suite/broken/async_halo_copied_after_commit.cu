// check: --kernel Smooth --grid 2 --block 64 --arg float32[130]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- the halo cells are copied after the commit
// line: 18, 19
// Three-point sum with a halo of two cells.
#include <cuda_pipeline.h>

__global__ void Smooth(const float* x, float* out) {
  __shared__ float tile[66];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_commit();
  if (tid < 2) __pipeline_memcpy_async(&tile[64 + tid], &x[base + 64 + tid], sizeof(float));
  __pipeline_wait_prior(0);
  __syncthreads();
  float sum = tile[tid];
  sum += tile[tid + 1];
  sum += tile[tid + 2];
  out[base + tid] = sum;
}
