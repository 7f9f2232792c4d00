// check: --kernel Averages --grid 2 --block 64 --arg float32[512]=uniform
//        --arg float32[512]=unwritten --arg int32=4
// expect: race -- the next tile is begun while others still read this one
// line: 9, 21, 22
// Differences to the average of each tile, one tile after the other.
#include <cuda_pipeline.h>

__device__ void Load(float* tile, const float* source) {
  __pipeline_memcpy_async(&tile[threadIdx.x], &source[threadIdx.x], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}

__global__ void Averages(const float* x, float* out, int tiles) {
  __shared__ float tile[64];
  for (int t = 0; t < tiles; ++t) {
    const int base = (blockIdx.x * tiles + t) * 64;
    Load(tile, x + base);
    float sum = 0.0f;
    for (int j = 0; j < 64; ++j) sum += tile[j];
    out[base + threadIdx.x] = tile[threadIdx.x] - sum / 64.0f;
  }
}
