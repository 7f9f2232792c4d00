// check: --kernel Reverse --grid 1 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// only with: nvrtc
// expect: race, barrier-deadlock -- the first thread arrives twice, so the phase completes one
//         thread early, and that thread waits for a phase that no one completes
// line: 22, 23, 24
// Reverses a tile; the leader first reports that the barrier is ready.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Reverse(const float* x, float* out) {
  __shared__ Barrier barrier;
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  if (tid == 0) {
    init(&barrier, blockDim.x);
    (void)barrier.arrive();
  }
  __syncthreads();
  tile[tid] = x[tid];
  barrier.arrive_and_wait();
  out[tid] = tile[63 - tid];
}
