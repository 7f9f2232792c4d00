// check: --kernel Rotated --grid 2 --block 64 --arg int32[512]=integers
//        --arg int32[512]=unwritten
// only with: nvrtc
// The block copies 256 integers together; the copy is bound to a barrier.
#include <cooperative_groups.h>

#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Rotated(const int* x, int* out) {
  __shared__ Barrier barrier;
  __shared__ int tile[256];
  const auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, x + blockIdx.x * 256, sizeof(int) * 256, barrier);
  barrier.arrive_and_wait();
  for (int j = threadIdx.x; j < 256; j += 64) out[blockIdx.x * 256 + j] = tile[(j + 77) % 256];
}
