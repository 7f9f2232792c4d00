// check: --kernel Relay --grid 2 --block 64 --arg float32[448]=uniform
//        --arg float32[64]=unwritten --arg int32=7
// A producer warp runs up to two stages ahead; each stage has a barrier for full and for empty.
#include <cuda_pipeline.h>

__device__ void Arrive(int barrier) {
  asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory");
}

__device__ void Sync(int barrier) {
  asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
}

__global__ void Relay(const float* x, float* out, int tiles) {
  __shared__ float stages[2][32];
  const int lane = threadIdx.x % 32;
  const float* mine = x + blockIdx.x * tiles * 32;
  if (threadIdx.x < 32) {
    for (int t = 0; t < tiles; ++t) {
      const int s = t % 2;
      if (t >= 2) Sync(3 + s);
      __pipeline_memcpy_async(&stages[s][lane], &mine[t * 32 + lane], sizeof(float));
      __pipeline_commit();
      __pipeline_wait_prior(0);
      Arrive(1 + s);
    }
  } else {
    float sum = 0.0f;
    for (int t = 0; t < tiles; ++t) {
      const int s = t % 2;
      Sync(1 + s);
      sum += stages[s][31 - lane];
      if (t + 2 < tiles) Arrive(3 + s);
    }
    out[blockIdx.x * 32 + lane] = sum;
  }
}
