// check: --kernel Replace --grid 1 --block 64 --arg int32[8]=index --arg int32[64]=unwritten
// only with: nvrtc
// expect: race -- lanes meet before lane 0 waits for its copy, and lane 1 does not wait at the
// mbarrier line: 26, 27 Lane 0 replaces x by a copy, which arrives at an mbarrier for the other
// warp.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

__global__ void Replace(const int* in, int* out) {
  __shared__ __mbarrier_t full;
  __shared__ int x;
  const int t = threadIdx.x;
  int seen = 0;
  if (t == 0) {
    __mbarrier_init(&full, 1);
    x = in[0];
  }
  __syncthreads();
  if (t == 0) {
    __pipeline_memcpy_async(&x, &in[5], 4);
    __pipeline_arrive_on(&full);
    (void)__mbarrier_arrive(&full);
    __pipeline_commit();
  }
  __syncwarp();
  if (t == 0) __pipeline_wait_prior(0);
  if (t == 1) seen = x;
  if (t >= 32) {
    while (!__mbarrier_test_wait_parity(&full, 0)) {
    }
    seen = x;
  }
  out[t] = seen;
}
