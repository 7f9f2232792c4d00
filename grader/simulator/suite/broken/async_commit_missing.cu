// check: --kernel Swap --grid 2 --block 64 --arg int32[128]=integers --arg int32[128]=unwritten
// expect: unfinished-copy -- the copies are in no group, so the wait does not wait for them
// line: 14
// Neighbours swap their values.
#include <cuda_pipeline.h>

__global__ void Swap(const int* x, int* out) {
  __shared__ int tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  __pipeline_memcpy_async(&tile[tid], &x[i], sizeof(int));
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[tid ^ 1];
}
