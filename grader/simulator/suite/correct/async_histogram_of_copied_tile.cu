// check: --kernel Histogram --grid 2 --block 64 --arg int32[640]=integers
//        --arg int32[8]=zeros --arg int32=320
// Bins are cleared while the first tile is on its way.
#include <cuda_pipeline.h>

__global__ void Histogram(const int* x, int* bins, int per_block) {
  __shared__ int counts[8];
  __shared__ int tile[2][64];
  const int tid = threadIdx.x;
  const int* mine = x + blockIdx.x * per_block;
  const int tiles = per_block / 64;
  __pipeline_memcpy_async(&tile[0][tid], &mine[tid], sizeof(int));
  __pipeline_commit();
  if (tid < 8) counts[tid] = 0;
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    const bool more = t + 1 < tiles;
    if (more) {
      __pipeline_memcpy_async(&tile[(t + 1) % 2][tid], &mine[(t + 1) * 64 + tid], sizeof(int));
      __pipeline_commit();
    }
    __pipeline_wait_prior(more ? 1 : 0);
    atomicAdd(&counts[tile[t % 2][tid] & 7], 1);
  }
  __syncthreads();
  if (tid < 8) atomicAdd(&bins[tid], counts[tid]);
}
