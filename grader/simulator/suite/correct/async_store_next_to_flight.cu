// check: --kernel Bordered --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// The border cells are stored while the cells between them travel; no cell belongs to both.
#include <cuda_pipeline.h>

__global__ void Bordered(const float* x, float* out) {
  __shared__ float tile[66];
  const int tid = threadIdx.x;
  __pipeline_memcpy_async(&tile[tid + 1], &x[blockIdx.x * 64 + tid], sizeof(float));
  __pipeline_commit();
  if (tid < 2) tile[65 * tid] = -1.0f;
  float factor = 1.0f;
  for (int j = 0; j < tid; ++j) factor *= 0.5f;
  __pipeline_wait_prior(0);
  __syncthreads();
  out[blockIdx.x * 64 + tid] = factor * (tile[tid] + tile[tid + 2]);
}
