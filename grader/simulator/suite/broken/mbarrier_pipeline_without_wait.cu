// check: --kernel RowSums --grid 1 --block 64 --arg float32[256]=uniform
//        --arg float32[64]=unwritten --arg int32=4
// only with: nvrtc
// expect: unfinished-copy -- a stage is used without consumer_wait
// line: 20, 25
// A pipeline of the block with four stages; each thread adds up what it has copied.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void RowSums(const float* x, float* out, int tiles) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 4> state;
  __shared__ float stages[4][64];
  const int tid = threadIdx.x;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  for (int t = 0; t < tiles; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(&stages[t][tid], &x[t * 64 + tid], sizeof(float), pipe);
    pipe.producer_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    sum = 0.5f * sum + stages[t][tid];
    pipe.consumer_release();
  }
  out[tid] = sum;
}
