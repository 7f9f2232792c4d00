// check: --kernel Table --grid 1 --block 64 --arg float32[32]=uniform --arg float32[32]=unwritten
// expect: race -- the producer reports to the barrier before its copies are there
// line: 11, 14, 17
// Warp 0 fetches a table and reports it at a named barrier, where warp 1 waits.
#include <cuda_pipeline.h>

__global__ void Table(const float* x, float* out) {
  __shared__ float tile[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    __pipeline_memcpy_async(&tile[lane], &x[lane], sizeof(float));
    __pipeline_commit();
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    __pipeline_wait_prior(0);
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[lane] = tile[31 - lane];
  }
}
