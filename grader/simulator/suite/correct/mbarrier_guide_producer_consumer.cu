// check: --kernel Relay --grid 2 --block 96 --arg float32[640]=uniform
//        --arg float32[128]=unwritten --arg int32=5
// only with: nvrtc
// The programming guide's pattern: ready and filled barriers for two buffers, all threads count.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

__device__ void Produce(Barrier* ready, Barrier* filled, float (*buffer)[64], const float* x,
                        int tiles) {
  for (int t = 0; t < tiles; ++t) {
    ready[t % 2].arrive_and_wait();
    for (int j = threadIdx.x; j < 64; j += 32) buffer[t % 2][j] = x[t * 64 + j];
    (void)filled[t % 2].arrive();
  }
}

__device__ float Consume(Barrier* ready, Barrier* filled, const float (*buffer)[64], int tiles) {
  (void)ready[0].arrive();
  (void)ready[1].arrive();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    filled[t % 2].arrive_and_wait();
    sum = 0.5f * sum + buffer[t % 2][95 - threadIdx.x];
    (void)ready[t % 2].arrive();
  }
  return sum;
}

__global__ void Relay(const float* x, float* out, int tiles) {
  __shared__ Barrier barriers[4];
  __shared__ float buffer[2][64];
  if (threadIdx.x < 4) init(&barriers[threadIdx.x], blockDim.x);
  __syncthreads();
  if (threadIdx.x < 32) {
    Produce(barriers, barriers + 2, buffer, x + blockIdx.x * tiles * 64, tiles);
  } else {
    const float sum = Consume(barriers, barriers + 2, buffer, tiles);
    out[blockIdx.x * 64 + threadIdx.x - 32] = sum;
  }
}
