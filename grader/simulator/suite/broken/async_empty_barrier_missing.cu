// check: --kernel Relay --grid 2 --block 64 --arg float32[384]=uniform
//        --arg float32[64]=unwritten --arg int32=6
// expect: barrier-deadlock -- the consumer never says that a stage is free again
// line: 16, 18, 21, 22
// A producer warp and a consumer warp with one named barrier for each of two stages.
#include <cuda_pipeline.h>

__global__ void Relay(const float* x, float* out, int tiles) {
  __shared__ float stages[2][32];
  const int lane = threadIdx.x % 32;
  const float* mine = x + blockIdx.x * tiles * 32;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const int s = t % 2;
    if (threadIdx.x < 32) {
      __pipeline_memcpy_async(&stages[s][lane], &mine[t * 32 + lane], sizeof(float));
      __pipeline_commit();
      __pipeline_wait_prior(0);
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + s) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + s) : "memory");
      sum += stages[s][31 - lane];
    }
  }
  if (threadIdx.x >= 32) out[blockIdx.x * 32 + lane] = sum;
}
