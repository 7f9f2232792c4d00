// check: --kernel RowSum --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: uninitialized-read -- only 32 of 64 threads copy, one element each
// line: 18
// Differences to the mirrored element; the first warp should copy for both.
#include <cuda_pipeline.h>

__global__ void RowSum(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  if (tid < 32) {
    __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  __syncthreads();
  out[base + tid] = tile[tid] - tile[63 - tid];
}
