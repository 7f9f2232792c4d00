// check: --kernel k --grid 2 --block 128 --arg int32[2048]=integers --arg int32[256]=unwritten
// expect: warning -- the pipeline's state has a constructor, as in the programming guide
// only with: nvrtc
// Half of the threads copy into two stages, the others read them.
#include <cooperative_groups.h>

#include <cuda/pipeline>

__global__ void k(const int* x, int* out) {
  auto block = cooperative_groups::this_thread_block();
  __shared__ int tile[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const bool copies = threadIdx.x < 64;
  auto pipe = cuda::make_pipeline(
      block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int phase = 0; phase < 8; ++phase) {
    if (copies) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < 128; i += 64)
        cuda::memcpy_async(&tile[phase % 2][i], x + phase * 256 + blockIdx.x * 128 + i, sizeof(int),
                           pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += tile[phase % 2][127 - threadIdx.x] + tile[phase % 2][threadIdx.x];
      pipe.consumer_release();
    }
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
