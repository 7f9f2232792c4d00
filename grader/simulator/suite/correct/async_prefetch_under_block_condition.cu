// check: --kernel SkipTiles --grid 2 --block 64 --arg float32[512]=uniform --arg int32[8]=integers
//        --arg float32[128]=unwritten --arg int32=4
// Only tiles whose flag is odd are fetched and used; the flag is the same for the whole block.
#include <cuda_pipeline.h>

__global__ void SkipTiles(const float* x, const int* flags, float* out, int tiles) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    const int which = blockIdx.x * tiles + t;
    if (flags[which] % 2 == 0) continue;
    __pipeline_memcpy_async(&tile[tid], &x[which * 64 + tid], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += tile[tid ^ 5];
    __syncthreads();
  }
  out[blockIdx.x * 64 + tid] = sum;
}
