// check: --kernel LeftSums --grid 3 --block 64 --arg float32[150]=uniform
//        --arg float32[150]=unwritten --arg int32=150
// Threads past the end copy nothing and leave after the barrier; no thread needs their elements.
#include <cuda_pipeline.h>

__global__ void LeftSums(const float* x, float* out, int n) {
  __shared__ float tile[64];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  if (i < n) __pipeline_memcpy_async(&tile[tid], &x[i], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j <= tid; ++j) sum += tile[j];
  out[i] = sum;
}
