// check: --kernel Lookup --grid 2 --block 96 --arg float32[64]=uniform --arg int32[192]=integers
//        --arg float32[192]=unwritten
// One warp fetches the table, and the barrier makes it known to all.
#include <cuda_pipeline.h>

__global__ void Lookup(const float* table, const int* keys, float* out) {
  __shared__ float cached[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32) {
    for (int j = threadIdx.x; j < 64; j += 32) {
      __pipeline_memcpy_async(&cached[j], &table[j], sizeof(float));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  const int key = keys[i] & 63;
  __syncthreads();
  out[i] = cached[key];
}
