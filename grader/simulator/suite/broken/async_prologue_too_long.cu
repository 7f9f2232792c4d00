// check: --kernel FirstTiles --grid 1 --block 64 --arg float32[128]=uniform
//        --arg float32[64]=unwritten --arg int32=2
// expect: out-of-bounds, warning -- the prologue fetches three tiles, but there are only two
// line: 14
// Sum of tiles with four stages.
#include <cuda_pipeline.h>

constexpr int kStages = 4;

__global__ void FirstTiles(const float* x, float* out, int tiles) {
  __shared__ float ring[kStages][64];
  const int tid = threadIdx.x;
  for (int t = 0; t < kStages - 1; ++t) {
    __pipeline_memcpy_async(&ring[t][tid], &x[t * 64 + tid], sizeof(float));
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    const int next = t + kStages - 1;
    if (next < tiles) {
      __pipeline_memcpy_async(&ring[next % kStages][tid], &x[next * 64 + tid], sizeof(float));
    }
    __pipeline_commit();
    sum += ring[t % kStages][63 - tid];
  }
  out[tid] = sum;
}
