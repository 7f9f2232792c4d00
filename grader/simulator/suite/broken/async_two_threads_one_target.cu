// check: --kernel Downsample --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[64]=unwritten
// expect: race -- two threads copy different values into each cell
// line: 11
// Keeps every second value.
#include <cuda_pipeline.h>

__global__ void Downsample(const float* x, float* out) {
  __shared__ float tile[32];
  const int tid = threadIdx.x;
  __pipeline_memcpy_async(&tile[tid / 2], &x[blockIdx.x * 64 + tid], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (tid < 32) out[blockIdx.x * 32 + tid] = tile[31 - tid];
}
