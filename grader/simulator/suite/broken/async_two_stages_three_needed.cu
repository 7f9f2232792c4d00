// check: --kernel Ring --grid 2 --block 32 --arg float32[384]=uniform
//        --arg float32[64]=unwritten --arg int32=6
// expect: unfinished-copy -- two tiles ahead and one in use need three stages, not two
// line: 23, 28
// Fetches two tiles ahead of the one that is used.
#include <cuda_pipeline.h>

constexpr int kStages = 2;
constexpr int kAhead = 2;

__global__ void Ring(const float* x, float* out, int tiles) {
  __shared__ float ring[kStages][32];
  const int lane = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * 32;
  for (int t = 0; t < kAhead; ++t) {
    __pipeline_memcpy_async(&ring[t % kStages][lane], &mine[t * 32 + lane], sizeof(float));
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const int next = t + kAhead;
    if (next < tiles) {
      __pipeline_memcpy_async(&ring[next % kStages][lane], &mine[next * 32 + lane], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(kAhead);
    __syncthreads();
    sum += ring[t % kStages][31 - lane];
    __syncthreads();
  }
  out[blockIdx.x * 32 + lane] = sum;
}
