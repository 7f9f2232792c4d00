// check: --kernel Shift --grid 1 --block 64 --arg int32[2]=index --arg int32[1]=zeros
//        --arg int32[64]=unwritten
// only with: nvrtc
// expect: race -- thread 32 may store before thread 0 has read, though it stores the same values
// line: 18, 19, 20
// Both warps put the next limits where the old ones were, which thread 0 still needs.
#include <cuda_awbarrier_primitives.h>

__global__ void Shift(const int* limits, int* limit, int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int own;
  if (threadIdx.x == 0) {
    __mbarrier_init(&barrier, 64);
    own = limits[0];
  }
  __syncthreads();
  int old = 0;
  if (threadIdx.x == 0) old = *limit + own;
  if (threadIdx.x % 32 == 0) own = limits[1];
  if (threadIdx.x % 32 == 0) *limit = limits[1];
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = old + own + *limit;
}
