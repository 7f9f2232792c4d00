// check: --kernel Reverse --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// only with: nvrtc
// expect: uninitialized-read -- init is forgotten: the barrier object is shared memory as it was
// line: 17
// Reverses a tile; the barrier of libcu++ stands for __syncthreads.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Reverse(const float* x, float* out) {
  __shared__ Barrier barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  tile[tid] = x[tid];
  barrier.arrive_and_wait();
  out[tid] = tile[63 - tid];
}
