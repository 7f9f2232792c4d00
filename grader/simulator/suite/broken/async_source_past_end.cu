// check: --kernel Smooth --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: out-of-bounds -- the last block copies two halo cells that the input does not have
// line: 13
// Three-point sum with a halo to the right.
#include <cuda_pipeline.h>

__global__ void Smooth(const float* x, float* out) {
  __shared__ float tile[66];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  for (int j = tid; j < 66; j += 64) {
    __pipeline_memcpy_async(&tile[j], &x[base + j], sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[base + tid] = tile[tid] + tile[tid + 1] + tile[tid + 2];
}
