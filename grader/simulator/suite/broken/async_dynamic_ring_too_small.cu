// check: --kernel Ring --grid 2 --block 64 --shared 512 --arg float32[512]=uniform
//        --arg float32[128]=unwritten --arg int32=4
// expect: out-of-bounds -- the launch gives room for two stages, the kernel uses three
// line: 14, 30
// Sum of mirrored tiles; the ring lies in dynamic shared memory.
#include <cuda_pipeline.h>

extern __shared__ float ring[];

constexpr int kStages = 3;

__device__ void Fetch(const float* source, int t) {
  float* stage = ring + t % kStages * blockDim.x;
  __pipeline_memcpy_async(&stage[threadIdx.x], &source[t * blockDim.x + threadIdx.x], 4);
}

__global__ void Ring(const float* x, float* out, int tiles) {
  const int tid = threadIdx.x;
  const float* mine = x + blockIdx.x * tiles * blockDim.x;
  for (int t = 0; t < kStages - 1; ++t) {
    Fetch(mine, t);
    __pipeline_commit();
  }
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();
    if (t + kStages - 1 < tiles) Fetch(mine, t + kStages - 1);
    __pipeline_commit();
    sum += ring[t % kStages * blockDim.x + blockDim.x - 1 - tid];
  }
  out[blockIdx.x * blockDim.x + tid] = sum;
}
