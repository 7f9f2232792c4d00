// check: --kernel RowSums --grid 2 --block 48 --arg float32[672]=uniform
//        --arg float32[96]=unwritten --arg int32=7
// Three stages; the last two tiles are peeled off the loop and wait for one group and for none.
#include <cuda_pipeline.h>

constexpr int kTile = 48;

__device__ float Use(const float* tile) {
  return tile[threadIdx.x] - tile[(threadIdx.x + 1) % kTile];
}

__global__ void RowSums(const float* x, float* out, int tiles) {
  __shared__ float ring[3][kTile];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * kTile;
  for (int t = 0; t < 2; ++t) {
    __pipeline_memcpy_async(&ring[t][tid], &mine[t * kTile + tid], sizeof(float));
    __pipeline_commit();
  }
  float sum = 0.0f;
  int t = 0;
  for (; t + 2 < tiles; ++t) {
    __pipeline_memcpy_async(&ring[(t + 2) % 3][tid], &mine[(t + 2) * kTile + tid], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    sum += Use(ring[t % 3]);
    __syncthreads();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  sum += Use(ring[t % 3]);
  __pipeline_wait_prior(0);
  __syncthreads();
  sum += Use(ring[(t + 1) % 3]);
  out[blockIdx.x * kTile + tid] = sum;
}
