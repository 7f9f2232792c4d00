// check: --kernel Convolve --grid 2 --block 64 --arg float32[200]=uniform --arg float32[8]=uniform
//        --arg float32[128]=unwritten
// The weights are in the first group of eight threads and in an empty group of the others.
#include <cuda_pipeline.h>

constexpr int kTaps = 8;

__global__ void Convolve(const float* x, const float* weights, float* out) {
  __shared__ float taps[kTaps];
  __shared__ float tile[64 + kTaps - 1];
  const int tid = threadIdx.x;
  const int base = blockIdx.x * 64;
  if (tid < kTaps) __pipeline_memcpy_async(&taps[tid], &weights[tid], sizeof(float));
  __pipeline_commit();
  for (int j = tid; j < 64 + kTaps - 1; j += 64) {
    __pipeline_memcpy_async(&tile[j], &x[base + j], sizeof(float));
  }
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  float scale = 0.0f;
  for (int k = 0; k < kTaps; ++k) scale += taps[k];
  __pipeline_wait_prior(0);
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < kTaps; ++k) sum += taps[k] * tile[tid + k];
  out[base + tid] = sum / (scale + 1.0f);
}
