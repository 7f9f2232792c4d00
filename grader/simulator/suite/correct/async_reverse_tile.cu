// check: --kernel Reverse --grid 3 --block 64 --arg float32[192]=uniform
//        --arg float32[192]=unwritten
// Reverses each block's slice through a tile that is copied in the background.
#include <cuda_pipeline.h>

__global__ void Reverse(const float* x, float* out) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  __pipeline_memcpy_async(&tile[tid], &x[base + tid], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[base + tid] = tile[63 - tid];
}
