// check: --kernel SumTiles --grid 2 --block 96 --arg float32[640]=uniform
//        --arg float32[128]=unwritten --arg int32=5
// expect: race -- with a single buffer the next tile needs a second barrier
// line: 17, 22
// Warp 0 fetches a tile, two warps use it.
#include <cuda_pipeline.h>

__global__ void SumTiles(const float* x, float* out, int tiles) {
  __shared__ alignas(8) float tile[64];
  const float2* mine = reinterpret_cast<const float2*>(x + blockIdx.x * tiles * 64);
  const bool producer = threadIdx.x < 32;
  const int consumer = threadIdx.x - 32;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (producer) {
      const int lane = threadIdx.x;
      __pipeline_memcpy_async(&tile[2 * lane], &mine[t * 32 + lane], sizeof(float2));
      __pipeline_commit();
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    if (!producer) sum += tile[63 - consumer];
  }
  if (!producer) out[blockIdx.x * 64 + consumer] = sum;
}
