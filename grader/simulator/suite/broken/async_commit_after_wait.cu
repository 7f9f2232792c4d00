// check: --kernel LeftSums --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: unfinished-copy -- when the wait runs, the copies are not yet in a group
// line: 17
// Sums of all elements up to the thread's own.
#include <cuda_pipeline.h>

__global__ void LeftSums(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  __pipeline_memcpy_async(&tile[tid], &x[i], sizeof(float));
  __pipeline_wait_prior(0);
  __pipeline_commit();
  __syncthreads();
  float sum = 0.0f;
  for (int j = 0; j <= tid; ++j) sum += tile[j];
  out[i] = sum;
}
