// check: --kernel Horner --grid 2 --block 32 --arg float32[256]=uniform
//        --arg float32[64]=unwritten
// expect: unfinished-copy -- one wait before the loop covers the first group only
// line: 22
// Four tiles set off at once and are used one after the other.
#include <cuda_pipeline.h>

constexpr int kTiles = 4;

__global__ void Horner(const float* x, float* out) {
  __shared__ float tiles[kTiles][32];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * kTiles * 32;
  for (int t = 0; t < kTiles; ++t) {
    __pipeline_memcpy_async(&tiles[t][tid], &mine[t * 32 + tid], sizeof(float));
    __pipeline_commit();
  }
  __pipeline_wait_prior(kTiles - 1);
  float value = 0.0f;
  for (int t = 0; t < kTiles; ++t) {
    __syncthreads();
    value = value * tiles[t][31 - tid] + tiles[t][tid];
  }
  out[blockIdx.x * 32 + tid] = value;
}
