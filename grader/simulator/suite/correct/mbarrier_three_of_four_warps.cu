// check: --kernel Mixed --grid 2 --block 128 --arg float32[256]=uniform
//        --arg float32[256]=unwritten
// only with: nvrtc
// Only the first three warps meet at the barrier; the fourth works on values of its own.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Mixed(const float* x, float* out) {
  __shared__ Barrier barrier;
  __shared__ float tile[96];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 128 + tid;
  if (tid == 0) init(&barrier, 96);
  __syncthreads();
  if (tid < 96) {
    tile[tid] = x[i];
    barrier.arrive_and_wait();
    out[i] = tile[95 - tid];
  } else {
    out[i] = x[i] * x[i];
  }
}
