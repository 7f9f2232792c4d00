// check: --kernel Fetched --grid 2 --block 96 --arg float32[64]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- the fetching warp returns and never waits for its copies
// line: 17
// One warp fetches a table of 32 values and leaves; the others use it.
#include <cuda_pipeline.h>

__global__ void Fetched(const float* x, float* out) {
  __shared__ float table[32];
  const int tid = threadIdx.x;
  if (tid < 32) {
    __pipeline_memcpy_async(&table[tid], &x[blockIdx.x * 32 + tid], sizeof(float));
    __pipeline_commit();
  }
  __syncthreads();
  if (tid < 32) return;
  out[blockIdx.x * 64 + tid - 32] = table[tid * 7 % 32];
}
