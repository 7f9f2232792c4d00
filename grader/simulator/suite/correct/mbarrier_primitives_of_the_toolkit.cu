// check: --kernel Relay --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[64]=unwritten --arg int32=8
// One warp copies tiles into a ring of two, the other one uses them: the Toolkit's primitives.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

__device__ void Wait(__mbarrier_t* barrier, int phase) {
  while (!__mbarrier_test_wait_parity(barrier, phase & 1)) {
  }
}

__global__ void Relay(const float* x, float* out, int tiles) {
  __shared__ __mbarrier_t full[2], empty[2];
  __shared__ float stages[2][32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 2) {
    __mbarrier_init(&full[threadIdx.x], 32);
    __mbarrier_init(&empty[threadIdx.x], 32);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int t = 0; t < tiles; ++t) {
      if (t >= 2) Wait(&empty[t % 2], t / 2 - 1);
      __pipeline_memcpy_async(&stages[t % 2][lane], &x[(blockIdx.x * tiles + t) * 32 + lane],
                              sizeof(float));
      __pipeline_arrive_on(&full[t % 2]);
      __mbarrier_arrive(&full[t % 2]);
    }
    return;
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    Wait(&full[t % 2], t / 2);
    sum += stages[t % 2][31 - lane];
    __mbarrier_arrive(&empty[t % 2]);
  }
  out[blockIdx.x * 32 + lane] = sum;
}
