// check: --kernel Reverse --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: uninitialized-read -- 16 threads copy 8 bytes each, which is only half of the tile
// line: 16
// Reverses a slice of 64 floats; a quarter of the threads copies for all.
#include <cuda_pipeline.h>

__global__ void Reverse(const float* x, float* out) {
  __shared__ __align__(16) float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  if (tid < 16) __pipeline_memcpy_async(&tile[4 * tid], &x[base + 4 * tid], sizeof(float2));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[base + tid] = tile[63 - tid];
}
