// check: --kernel Pairs --grid 2 --block 32 --shared 512 --arg float32[66]=uniform
//        --arg float32[128]=uniform --arg float32[64]=unwritten
// expect: misaligned -- after 33 floats the pairs start at byte 132, no multiple of eight
// line: 17, 21
// Floats with a halo cell and pairs behind them in one dynamic array.
#include <cuda_pipeline.h>

extern __shared__ __align__(16) unsigned char arena[];

__global__ void Pairs(const float* x, const float2* y, float* out) {
  float* singles = reinterpret_cast<float*>(arena);
  float2* pairs = reinterpret_cast<float2*>(singles + 33);
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 32 + tid;
  __pipeline_memcpy_async(&singles[tid], &x[blockIdx.x * 33 + tid], 4);
  if (tid == 0) __pipeline_memcpy_async(&singles[32], &x[blockIdx.x * 33 + 32], 4);
  __pipeline_memcpy_async(&pairs[tid], &y[i], 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = singles[tid + 1] * pairs[31 - tid].x + singles[tid] * pairs[31 - tid].y;
}
