// check: --kernel TwoSteps --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// only with: nvrtc
// expect: barrier-deadlock, race -- the second wait asks for the token of the first phase, which is
// long complete line: 21, 25 Two steps with two buffers.
#include <cuda_awbarrier_primitives.h>

__global__ void TwoSteps(const float* x, float* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ float a[64];
  __shared__ float b[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  if (tid == 0) __mbarrier_init(&barrier, 64);
  __syncthreads();
  a[tid] = x[i];
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  b[tid] = a[63 - tid] + 1.0f;
  __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[i] = b[(tid + 32) % 64];
}
