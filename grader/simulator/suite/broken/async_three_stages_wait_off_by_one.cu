// check: --kernel MirrorProducts --grid 2 --block 64 --arg float32[768]=uniform
//        --arg float32[128]=unwritten --arg int32=6
// expect: unfinished-copy -- two groups are ahead, so the wait may leave one of them, not two
// line: 24
// Sums products with the mirrored element over a row of tiles; three stages.
#include <cuda_pipeline.h>

constexpr int kStages = 3;
constexpr int kTile = 64;

__global__ void MirrorProducts(const float* x, float* out, int tiles) {
  __shared__ float ring[kStages][kTile];
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * kTile;
  for (int t = 0; t < kStages - 1; ++t) {
    __pipeline_memcpy_async(&ring[t][tid], &mine[t * kTile + tid], sizeof(float));
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(kStages - 1);
    __syncthreads();
    const float* current = ring[t % kStages];
    sum += current[tid] * current[kTile - 1 - tid];
    const int next = t + kStages - 1;
    if (next < tiles) {
      __pipeline_memcpy_async(&ring[next % kStages][tid], &mine[next * kTile + tid], 4);
    }
    __pipeline_commit();
  }
  out[blockIdx.x * kTile + tid] = sum;
}
