// check: --kernel Window --grid 2 --block 64 --arg float32[100]=uniform
//        --arg float32[100]=unwritten --arg int32=100
// only with: nvrtc
// expect: barrier-deadlock -- threads past the end return before they arrive, the others wait
// line: 21
// Reverses pairs; the barrier counts the whole block.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Window(const float* x, float* out, int n) {
  __shared__ Barrier barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  if (tid == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (i >= n) return;
  tile[tid] = x[i];
  barrier.arrive_and_wait();
  out[i] = tile[tid ^ 1];
}
