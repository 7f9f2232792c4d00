// check: --kernel Rotate --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// only with: nvrtc
// expect: race -- the store stands between arrive and wait instead of before arrive
// line: 20, 22
// Rotates a tile by a warp.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Rotate(const float* x, float* out) {
  __shared__ Barrier barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  if (tid == 0) init(&barrier, blockDim.x);
  __syncthreads();
  Barrier::arrival_token token = barrier.arrive();
  tile[tid] = x[i];
  barrier.wait(static_cast<Barrier::arrival_token&&>(token));
  out[i] = tile[(tid + 32) % 64];
}
