// check: --kernel Copy --grid 1 --block 64 --arg int32[64]=index --arg int32[64]=unwritten
// expect: clean
// only with: nvrtc
// The second warp copies a tile, whose copies arrive at an mbarrier; thread 0 waits for it, and the
// block for thread 0.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

__global__ void Copy(const int* in, int* out) {
  __shared__ __mbarrier_t full;
  __shared__ int tile[32];
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&full, 32);
  __syncthreads();
  if (t >= 32) {
    __pipeline_memcpy_async(&tile[t - 32], &in[t], 4);
    __pipeline_arrive_on(&full);
    (void)__mbarrier_arrive(&full);
  }
  if (t == 0) {
    while (!__mbarrier_test_wait_parity(&full, 0)) {
    }
  }
  __syncthreads();
  out[t] = tile[t % 32];
}
