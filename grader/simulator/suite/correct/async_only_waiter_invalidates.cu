// check: --kernel k --grid 2 --block 64 --arg int32[128]=integers --arg int32[128]=unwritten
// Warp 1 stores and arrives; thread 0 alone waits, reads, and ends the mbarrier.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
__global__ void k(const int* x, int* out) {
  __shared__ __mbarrier_t bar;
  __shared__ int t[32];
  if (threadIdx.x == 0) __mbarrier_init(&bar, 32);
  __syncthreads();
  if (threadIdx.x >= 32) {
    int lane = threadIdx.x - 32;
    t[lane] = x[blockIdx.x * 64 + lane];
    __mbarrier_arrive(&bar);
    out[blockIdx.x * 64 + threadIdx.x] = 7;
  } else if (threadIdx.x == 0) {
    while (!__mbarrier_test_wait_parity(&bar, 0)) {
    }
    for (int i = 0; i < 32; ++i) out[blockIdx.x * 64 + i] = t[i];
    __mbarrier_inval(&bar);
  }
}
