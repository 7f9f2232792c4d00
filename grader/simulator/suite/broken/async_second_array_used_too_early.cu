// check: --kernel Blend --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=uniform --arg float32[128]=unwritten
// expect: unfinished-copy -- the wait covers the group of x, but y is read as well
// line: 20
// Two arrays in two groups.
#include <cuda_pipeline.h>

__global__ void Blend(const float* x, const float* y, float* out) {
  __shared__ float x_tile[64];
  __shared__ float y_tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  __pipeline_memcpy_async(&x_tile[tid], &x[i], sizeof(float));
  __pipeline_commit();
  __pipeline_memcpy_async(&y_tile[tid], &y[i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  const float x_value = x_tile[63 - tid];
  const float y_value = y_tile[63 - tid];
  out[i] = 0.25f * x_value + 0.75f * y_value;
}
