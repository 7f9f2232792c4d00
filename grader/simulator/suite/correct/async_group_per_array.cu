// check: --kernel Blend --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=uniform --arg float32[128]=unwritten
// Two arrays in two groups: the first is used while the second may still travel.
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
  float sum = 0.0f;
  for (int j = 0; j <= tid; ++j) sum += x_tile[j];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = sum * y_tile[63 - tid];
}
