// check: --kernel k --grid 1 --block 64 --arg int32[64]=unwritten
// expect: race -- the reader looks nine times at the barrier, and then reads whatever is there
#include <cuda_awbarrier_primitives.h>

extern "C" __global__ void k(int* out) {
  __shared__ int stored[32];
  __shared__ __mbarrier_t bar;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&bar, 32);
  if (t < 32) stored[t] = 0;
  __syncthreads();
  if (t < 32) {
    stored[t] = t * 7;
    (void)__mbarrier_arrive(&bar);
    out[t] = 0;
  } else {
#pragma unroll 1
    for (int look = 0; look < 9 && !__mbarrier_test_wait_parity(&bar, false); ++look) {
    }
    out[t] = stored[t ^ 37];
  }
}
