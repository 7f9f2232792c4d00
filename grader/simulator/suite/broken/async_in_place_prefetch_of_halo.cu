// check: --kernel SmoothInPlace --grid 1 --block 64 --arg float32[257]=uniform --arg int32=4
// expect: unfinished-copy -- tile t is overwritten while its last cell travels as halo
// line: 9, 10, 22, 24
// Each value plus its left neighbour, in place; the next tile is fetched with one cell before it.
#include <cuda_pipeline.h>

__device__ void Fetch(float* tile, const float* cells) {
  const int tid = threadIdx.x;
  __pipeline_memcpy_async(&tile[tid + 1], &cells[tid + 1], sizeof(float));
  if (tid == 0) __pipeline_memcpy_async(&tile[0], &cells[0], sizeof(float));
  __pipeline_commit();
}

__global__ void SmoothInPlace(float* x, int tiles) {
  __shared__ float buffer[2][65];
  const int tid = threadIdx.x;
  Fetch(buffer[0], x);
  for (int t = 0; t < tiles; ++t) {
    const float* current = buffer[t % 2];
    if (t + 1 < tiles)
      Fetch(buffer[(t + 1) % 2], x + (t + 1) * 64);
    else
      __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    x[t * 64 + tid + 1] = current[tid] + current[tid + 1];
    __syncthreads();
  }
}
