// A thread copies four elements at once and computes four neighbouring outputs, with the neighbours
// that it needs in a window of registers.
#include <tessera/lab.cuh>
constexpr int THREADS = 128, PIECE = 4 * THREADS, RADIUS = 16, TAPS = 33;
__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  alignas(16) __shared__ float tile[PIECE + 2 * RADIUS];
  __shared__ float w[TAPS];
  const int start = blockIdx.x * PIECE;
  for (int v = threadIdx.x; v < (PIECE + 2 * RADIUS) / 4; v += THREADS) {
    const int i = start - RADIUS + 4 * v;
    float4 x = {0, 0, 0, 0};
    if (i >= 0 && i + 3 < n) {
      x = *reinterpret_cast<const float4*>(input + i);
    } else if (i >= 0) {
      if (i < n) x.x = input[i];
      if (i + 1 < n) x.y = input[i + 1];
      if (i + 2 < n) x.z = input[i + 2];
    }
    *reinterpret_cast<float4*>(tile + 4 * v) = x;
  }
  for (int j = threadIdx.x; j < TAPS; j += THREADS) w[j] = weights[j];
  __syncthreads();
  const float4* from = reinterpret_cast<const float4*>(tile) + threadIdx.x;
  float window[8];
  float sum[4] = {0, 0, 0, 0};
  float4 x = from[0];
  window[0] = x.x, window[1] = x.y, window[2] = x.z, window[3] = x.w;
#pragma unroll
  for (int c = 0; c < TAPS; c += 4) {
    if (c + 4 < TAPS + 3) {
      x = from[c / 4 + 1 < 9 ? c / 4 + 1 : 8];
      window[4] = x.x, window[5] = x.y, window[6] = x.z, window[7] = x.w;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (c + j >= TAPS) continue;
      const float weight = w[c + j];
#pragma unroll
      for (int q = 0; q < 4; ++q) sum[q] += weight * window[j + q];
    }
#pragma unroll
    for (int q = 0; q < 4; ++q) window[q] = window[q + 4];
  }
  const int i = start + 4 * threadIdx.x;
  if (i + 3 < n) {
    *reinterpret_cast<float4*>(output + i) = float4{sum[0], sum[1], sum[2], sum[3]};
  } else {
    for (int q = 0; q < 3; ++q)
      if (i + q < n) output[i + q] = sum[q];
  }
}
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, PIECE)), dim3(THREADS), 0};
}
