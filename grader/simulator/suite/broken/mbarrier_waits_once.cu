// check: --kernel Reverse --grid 2 --block 128 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// only with: nvrtc
// expect: race -- test_wait is asked once, and a no is only answered by a short sleep
// line: 16, 19
// Reverses a tile.
#include <cuda_awbarrier_primitives.h>

__global__ void Reverse(const float* x, float* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ float tile[128];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 128;
  if (tid == 0) __mbarrier_init(&barrier, 128);
  __syncthreads();
  tile[tid] = x[base + tid];
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  if (!__mbarrier_test_wait(&barrier, token)) __nanosleep(100);
  out[base + tid] = tile[127 - tid];
}
