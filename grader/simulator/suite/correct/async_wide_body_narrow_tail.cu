// check: --kernel CopyScaled --grid 1 --block 32 --arg float32[203]=uniform
//        --arg float32[203]=unwritten --arg int32=203
// The body travels in pieces of 16 bytes, the last three floats one by one.
#include <cuda_pipeline.h>

__global__ void CopyScaled(const float* x, float* out, int n) {
  __shared__ __align__(16) float tile[256];
  const int quads = n / 4;
  for (int q = threadIdx.x; q < quads; q += blockDim.x) {
    __pipeline_memcpy_async(&tile[4 * q], &x[4 * q], 16);
  }
  const int rest = 4 * quads + threadIdx.x;
  if (rest < n) __pipeline_memcpy_async(&tile[rest], &x[rest], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tile[i] * tile[n - 1 - i];
}
