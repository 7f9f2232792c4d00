// check: --kernel ReverseInPlace --grid 2 --block 64 --arg float32[128]=uniform
// expect: race -- threads store results where the copies of others may still read
// line: 11, 14
// Reverses each slice in place.
#include <cuda_pipeline.h>

__global__ void ReverseInPlace(float* x) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  float* slice = x + blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &slice[tid], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  slice[63 - tid] = 2.0f * tile[tid];
}
