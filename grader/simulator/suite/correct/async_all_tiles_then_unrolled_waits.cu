// check: --kernel Horner --grid 2 --block 32 --arg float32[256]=uniform
//        --arg float32[64]=unwritten
// All four tiles set off at once; each is used as soon as its own group is there.
#include <cuda_pipeline.h>

constexpr int kTiles = 4;

__global__ void Horner(const float* x, float* out) {
  __shared__ float tiles[kTiles][32];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * kTiles * 32;
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    __pipeline_memcpy_async(&tiles[t][tid], &mine[t * 32 + tid], sizeof(float));
    __pipeline_commit();
  }
  float value = 0.0f;
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    __pipeline_wait_prior(kTiles - 1 - t);
    __syncthreads();
    value = value * tiles[t][31 - tid] + tiles[t][tid];
  }
  out[blockIdx.x * 32 + tid] = value;
}
