// check: --kernel RowSums --grid 2 --block 64 --arg float32[768]=uniform
//        --arg float32[128]=unwritten --arg int32=6
// only with: nvrtc
// A pipeline of the block with two stages; all threads produce and consume.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void RowSums(const float* x, float* out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float stages[2][64];
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const float* mine = x + blockIdx.x * tiles * 64;
  float sum = 0.0f;
  int fetch = 0;
  for (int t = 0; t < tiles; ++t) {
    for (; fetch < tiles && fetch < t + 2; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stages[fetch % 2], mine + fetch * 64, sizeof(float) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = 0.5f * sum + stages[t % 2][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
