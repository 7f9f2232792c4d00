// check: --kernel Relay --grid 2 --block 64 --arg float32[384]=uniform
//        --arg float32[64]=unwritten --arg int32=6
// only with: nvrtc
// expect: race -- the consumer gives the stage back and reads it after that
// line: 25, 26, 31
// A partitioned pipeline with two stages.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void Relay(const float* x, float* out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ float stages[2][32];
  const int lane = threadIdx.x % 32;
  const bool producer = threadIdx.x < 32;
  auto pipe =
      cuda::make_pipeline(cooperative_groups::this_thread_block(), &state,
                          producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (producer) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stages[t % 2][lane], &x[(blockIdx.x * tiles + t) * 32 + lane],
                         sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      pipe.consumer_release();
      sum = 0.5f * sum + stages[t % 2][31 - lane];
    }
  }
  if (!producer) out[blockIdx.x * 32 + lane] = sum;
}
