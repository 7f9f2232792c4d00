// check: --kernel SumTiles --grid 2 --block 96 --arg float32[1280]=uniform
//        --arg float32[128]=unwritten --arg int32=10
// Warp 0 fetches a tile ahead, two warps use the last one; the barrier swaps the two tiles.
#include <cuda_pipeline.h>

constexpr int kTile = 64;

__device__ void Fetch(float* tile, const float* source) {
  const int lane = threadIdx.x;
  __pipeline_memcpy_async(&tile[2 * lane], &source[2 * lane], 2 * sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

__global__ void SumTiles(const float* x, float* out, int tiles) {
  __shared__ alignas(8) float buffer[2][kTile];
  const float* mine = x + blockIdx.x * tiles * kTile;
  const bool producer = threadIdx.x < 32;
  const int consumer = threadIdx.x - 32;
  if (producer) Fetch(buffer[0], mine);
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (producer) {
      if (t + 1 < tiles) Fetch(buffer[(t + 1) % 2], mine + (t + 1) * kTile);
    } else {
      sum += buffer[t % 2][kTile - 1 - consumer];
    }
    __syncthreads();
  }
  if (!producer) out[blockIdx.x * kTile + consumer] = sum;
}
