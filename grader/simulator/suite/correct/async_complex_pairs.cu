// check: --kernel Conjugate --grid 2 --block 32 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// Complex numbers travel in pieces of eight bytes.
#include <cuda_pipeline.h>

__global__ void Conjugate(const float2* x, float2* out) {
  __shared__ float2 tile[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  __pipeline_memcpy_async(tile + threadIdx.x, x + i, sizeof(float2));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float2 left = tile[threadIdx.x];
  const float2 right = tile[(threadIdx.x + 1) % 32];
  out[i] = make_float2(left.x * right.x + left.y * right.y, left.y * right.x - left.x * right.y);
}
