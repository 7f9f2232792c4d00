// check: --kernel Steps --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten --arg int32=5
// only with: nvrtc
// A thread arrives once its value is stored and does work of its own before it waits.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Steps(const float* x, float* out, int steps) {
  __shared__ Barrier barrier;
  __shared__ float values[2][64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  if (tid == 0) init(&barrier, blockDim.x);
  __syncthreads();
  float value = x[i];
  for (int step = 0; step < steps; ++step) {
    float* now = values[step % 2];
    now[tid] = value;
    Barrier::arrival_token token = barrier.arrive();
    float own = value;
    for (int j = 0; j < 4; ++j) own = own * 0.5f + 0.25f;
    barrier.wait(static_cast<Barrier::arrival_token&&>(token));
    value = own + now[(tid + 1) % 64] - now[(tid + 63) % 64];
  }
  out[i] = value;
}
