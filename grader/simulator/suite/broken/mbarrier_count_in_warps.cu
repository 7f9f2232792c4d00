// check: --kernel Share --grid 1 --block 96 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// only with: nvrtc
// expect: barrier-deadlock, race -- the count is given in warps, but each thread arrives: three
// lanes are enough line: 18, 19, 20 All warps fill a table and rotate it.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Share(const float* x, float* out) {
  __shared__ Barrier barrier;
  __shared__ float table[64];
  const int tid = threadIdx.x;
  if (tid == 0) init(&barrier, blockDim.x / 32);
  __syncthreads();
  if (tid < 64) table[tid] = x[tid];
  barrier.arrive_and_wait();
  if (tid < 64) out[tid] = table[(tid + 32) % 64];
}
