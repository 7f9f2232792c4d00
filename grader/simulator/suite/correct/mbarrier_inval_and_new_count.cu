// check: --kernel TwoUses --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[64]=unwritten
// only with: nvrtc
// The barrier is invalidated after its first use and made anew for one warp.
#include <cuda_awbarrier_primitives.h>

__device__ void ArriveAndWait(__mbarrier_t* barrier) {
  const __mbarrier_token_t token = __mbarrier_arrive(barrier);
  while (!__mbarrier_test_wait(barrier, token)) {
  }
}

__global__ void TwoUses(const float* x, float* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  if (tid == 0) __mbarrier_init(&barrier, 64);
  __syncthreads();
  tile[tid] = x[blockIdx.x * 64 + tid];
  ArriveAndWait(&barrier);
  const float sum = tile[tid] + tile[63 - tid];
  __syncthreads();
  if (tid == 0) {
    __mbarrier_inval(&barrier);
    __mbarrier_init(&barrier, 32);
  }
  __syncthreads();
  if (tid >= 32) return;
  tile[tid] = sum;
  ArriveAndWait(&barrier);
  out[blockIdx.x * 32 + tid] = tile[tid ^ 7];
}
