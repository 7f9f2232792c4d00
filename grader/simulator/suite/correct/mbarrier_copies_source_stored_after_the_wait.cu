// check: --kernel k --grid 1 --block 64 --arg int32[32]=index --arg int32[32]=unwritten
// The copies' source is stored again by threads that have waited for the copies at an mbarrier.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

extern "C" __global__ void k(int* data, int* out) {
  __shared__ int copied[32];
  __shared__ __mbarrier_t bar;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&bar, 32);
  __syncthreads();
  if (t < 32) {
    __pipeline_memcpy_async(&copied[t], &data[t], sizeof(int));
    __pipeline_arrive_on(&bar);
    (void)__mbarrier_arrive(&bar);
    __pipeline_commit();
    __pipeline_wait_prior(0);
  } else {
    while (!__mbarrier_test_wait_parity(&bar, false)) {
    }
    out[t - 32] = copied[63 - t];
    data[63 - t] = -1;
  }
}
