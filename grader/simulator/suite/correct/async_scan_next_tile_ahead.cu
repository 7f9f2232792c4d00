// check: --kernel RunningSums --grid 2 --block 64 --arg int32[512]=integers
//        --arg int32[512]=unwritten --arg int32=4
// Prefix sum over a row of tiles; the next tile is on its way while this one is scanned.
#include <cuda_pipeline.h>

__global__ void RunningSums(const int* x, int* out, int tiles) {
  __shared__ int next[64];
  __shared__ int sums[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * tiles * 64;
  int carry = 0;
  __pipeline_memcpy_async(&next[tid], &x[base + tid], sizeof(int));
  __pipeline_commit();
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(0);
    sums[tid] = next[tid];
    if (t + 1 < tiles) {
      __pipeline_memcpy_async(&next[tid], &x[base + (t + 1) * 64 + tid], sizeof(int));
      __pipeline_commit();
    }
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      const int left = tid >= step ? sums[tid - step] : 0;
      __syncthreads();
      sums[tid] += left;
      __syncthreads();
    }
    out[base + t * 64 + tid] = carry + sums[tid];
    carry += sums[63];
    __syncthreads();
  }
}
