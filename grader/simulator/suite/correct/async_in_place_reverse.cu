// check: --kernel ReverseInPlace --grid 3 --block 64 --arg float32[192]=uniform
// The source is overwritten only after all copies from it have arrived.
#include <cuda_pipeline.h>

__global__ void ReverseInPlace(float* x) {
  __shared__ float tile[64];
  float* slice = x + blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[threadIdx.x], &slice[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  slice[63 - threadIdx.x] = tile[threadIdx.x];
}
