// check: --kernel k --grid 1 --block 64 --arg int32[64]=unwritten --arg int32=0
// expect: race -- lane 0 arrives for its warp, whose lanes have not met: a proxy fence is no
// meeting
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>

#include <tessera/wgmma.cuh>

extern "C" __global__ void k(int* out, int multiplies) {
  __shared__ int stored[32];
  __shared__ __mbarrier_t bar;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&bar, 1);
  __syncthreads();
  if (multiplies) wgmma_fence();
  if (t < 32) {
    stored[t] = t * 7;
    fence_proxy_async();
    if (t == 0) (void)__mbarrier_arrive(&bar);
    out[t] = 0;
  } else {
    while (!__mbarrier_test_wait_parity(&bar, false)) {
    }
    out[t] = stored[t ^ 37];
  }
}
