// check: --kernel TwoWarps --grid 2 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: unfinished-copy -- a wait only counts for the groups of the thread that calls it
// line: 20
// Warp 0 fetches, warp 1 waits and reverses.
#include <cuda_pipeline.h>

__global__ void TwoWarps(const float* x, float* out) {
  __shared__ float tile[32];
  const int lane = threadIdx.x % 32;
  const int base = blockIdx.x * 32;
  const bool producer = threadIdx.x < 32;
  if (producer) {
    __pipeline_memcpy_async(&tile[lane], &x[base + lane], sizeof(float));
    __pipeline_commit();
  }
  __syncthreads();
  if (!producer) {
    __pipeline_wait_prior(0);
    out[base + lane] = tile[31 - lane];
  }
}
