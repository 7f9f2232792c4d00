// check: --kernel BlockSum --grid 3 --block 64 --arg float32[192]=uniform
//        --arg float32[3]=unwritten
// only with: nvrtc
// Threads whose value has been handed over leave the barrier with arrive_and_drop and return.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void BlockSum(const float* x, float* sums) {
  __shared__ Barrier barrier;
  __shared__ float cache[64];
  const int tid = threadIdx.x;
  if (tid == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cache[tid] = x[blockIdx.x * 64 + tid];
  for (int stride = 32; stride > 0; stride /= 2) {
    if (tid >= stride) {
      barrier.arrive_and_drop();
      return;
    }
    barrier.arrive_and_wait();
    cache[tid] += cache[tid + stride];
  }
  sums[blockIdx.x] = cache[0];
}
