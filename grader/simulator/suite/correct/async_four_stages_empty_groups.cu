// check: --kernel MirrorProducts --grid 2 --block 64 --arg float32[1152]=uniform
//        --arg float32[128]=unwritten --arg int32=9
// Four stages; at the end empty groups keep the count that the wait relies on.
#include <cuda_pipeline.h>

constexpr int kStages = 4;
constexpr int kTile = 64;

__global__ void MirrorProducts(const float* x, float* out, int tiles) {
  __shared__ float buffer[kStages][kTile];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * kTile;
  for (int t = 0; t < kStages - 1; ++t) {
    if (t < tiles) __pipeline_memcpy_async(&buffer[t][tid], &mine[t * kTile + tid], 4);
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    const int next = t + kStages - 1;
    if (next < tiles) {
      __pipeline_memcpy_async(&buffer[next % kStages][tid], &mine[next * kTile + tid], 4);
    }
    __pipeline_commit();
    const float* current = buffer[t % kStages];
    sum += current[tid] * current[kTile - 1 - tid];
  }
  out[blockIdx.x * kTile + tid] = sum;
}
