// check: --kernel Mirror --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: race -- a look at an mbarrier need not wait, so that three looks may all fail
// line: 18, 23
// Mirrors a tile, but looks at the mbarrier only three times.
#include <cuda_awbarrier_primitives.h>

__global__ void Mirror(const float* x, float* out) {
  __shared__ __mbarrier_t filled;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  if (tid == 0) __mbarrier_init(&filled, 64);
  __syncthreads();
  // Only the first warp has something to do before it stores.
  float value = x[base + tid];
  if (tid < 32) value = sqrtf(value);
  tile[tid] = value;
  const __mbarrier_token_t token = __mbarrier_arrive(&filled);
#pragma unroll 1
  for (int looks = 0; looks < 3 && !__mbarrier_test_wait(&filled, token); ++looks) {
  }
  out[base + tid] = tile[63 - tid];
}
