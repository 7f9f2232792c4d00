// check: --kernel RunningSums --grid 2 --block 64 --arg int32[512]=integers
//        --arg int32[512]=unwritten --arg int32=4
// expect: race -- the next tile is fetched before all have read the block's sum
// line: 14, 25
// Prefix sums over a row of tiles, scanned in place.
#include <cuda_pipeline.h>

__global__ void RunningSums(const int* x, int* out, int tiles) {
  __shared__ int tile[64];
  const int tid = threadIdx.x;
  const int* mine = x + blockIdx.x * tiles * 64;
  int carry = 0;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_memcpy_async(&tile[tid], &mine[t * 64 + tid], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      const int left = tid >= step ? tile[tid - step] : 0;
      __syncthreads();
      tile[tid] += left;
      __syncthreads();
    }
    out[(blockIdx.x * tiles + t) * 64 + tid] = carry + tile[tid];
    carry += tile[63];
  }
}
