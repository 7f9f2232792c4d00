// check: --kernel LeftDifferences --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: out-of-bounds -- block 0 has no cell to the left of its first one
// line: 13
// Difference of each value to its left neighbour.
#include <cuda_pipeline.h>

__global__ void LeftDifferences(const float* x, float* out) {
  __shared__ float tile[65];
  const int tid = threadIdx.x;
  const float* slice = x + blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid + 1], &slice[tid], sizeof(float));
  if (tid == 0) __pipeline_memcpy_async(&tile[0], slice - 1, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 64 + tid] = tile[tid + 1] - tile[tid];
}
