// check: --kernel Mirror --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=uniform --arg float32[128]=unwritten
// expect: unfinished-copy -- the even threads never commit, so they wait for nothing
// line: 20
// Odd threads copy from y and even ones from x.
#include <cuda_pipeline.h>

__global__ void Mirror(const float* x, const float* y, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  if (tid % 2 == 0) {
    __pipeline_memcpy_async(&tile[tid], &x[i], sizeof(float));
  } else {
    __pipeline_memcpy_async(&tile[tid], &y[i], sizeof(float));
    __pipeline_commit();
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[63 - tid];
}
