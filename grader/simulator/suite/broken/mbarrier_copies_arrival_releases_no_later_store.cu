// check: --kernel k --grid 1 --block 64 --arg int32[64]=unwritten
// expect: race -- the store comes after the arrival with the copies, which releases only what was
//         before it; the atomic counter has no fence
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

extern "C" __global__ void k(int* out) {
  __shared__ int stored[32], flag;
  __shared__ __mbarrier_t bar;
  const int t = threadIdx.x;
  if (t == 0) {
    __mbarrier_init(&bar, 32);
    flag = 0;
  }
  __syncthreads();
  if (t < 32) {
    __pipeline_arrive_on(&bar);
    (void)__mbarrier_arrive(&bar);
    stored[t] = t * 7;
    atomicAdd(&flag, 1);
    out[t] = 0;
  } else {
    while (atomicAdd(&flag, 0) < 32) {
    }
    while (!__mbarrier_test_wait_parity(&bar, false)) {
    }
    out[t] = stored[t ^ 37];
  }
}
