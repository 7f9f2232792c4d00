// A thread computes two outputs that lie a block apart, so that neighbours read neighbouring banks.
#include <tessera/lab.cuh>

constexpr int THREADS = 128;
constexpr int EACH = 2;
constexpr int BLOCK = THREADS * EACH;
constexpr int RADIUS = 16;
constexpr int TAPS = 2 * RADIUS + 1;

__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS];
  __shared__ float w[TAPS];
  const int t = threadIdx.x;
  const int first = blockIdx.x * BLOCK - RADIUS;
  for (int s = t; s < BLOCK + 2 * RADIUS; s += THREADS) {
    const int place = first + s;
    tile[s] = place >= 0 && place < n ? input[place] : 0.0f;
  }
  if (t < TAPS) w[t] = weights[t];
  __syncthreads();

  float sum[EACH] = {};
  for (int j = 0; j < TAPS; ++j) {
    const float weight = w[j];
    for (int e = 0; e < EACH; ++e) sum[e] += weight * tile[t + e * THREADS + j];
  }
  for (int e = 0; e < EACH; ++e) {
    const int i = blockIdx.x * BLOCK + t + e * THREADS;
    if (i < n) output[i] = sum[e];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(THREADS), 0};
}
