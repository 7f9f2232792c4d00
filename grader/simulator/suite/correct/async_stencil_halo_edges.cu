// check: --kernel Smooth --grid 3 --block 64 --arg float32[170]=uniform
//        --arg float32[170]=unwritten --arg int32=170
// Three-point sum; cells that lie outside the array are set to zero by plain stores.
#include <cuda_pipeline_primitives.h>

__device__ void LoadCell(float* cell, const float* x, int i, int n) {
  if (i >= 0 && i < n) {
    __pipeline_memcpy_async(cell, x + i, sizeof(float));
  } else {
    *cell = 0.0f;
  }
}

__global__ void Smooth(const float* x, float* out, int n) {
  __shared__ float tile[66];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 64 + tid;
  LoadCell(&tile[tid + 1], x, i, n);
  if (tid == 0) LoadCell(&tile[0], x, i - 1, n);
  if (tid == 63) LoadCell(&tile[65], x, i + 1, n);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (i < n) out[i] = tile[tid] + tile[tid + 1] + tile[tid + 2];
}
