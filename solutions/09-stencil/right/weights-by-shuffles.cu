// Each lane keeps one weight, which the warp reads by shuffles; every lane has the 33rd.
#include <tessera/lab.cuh>

constexpr int RADIUS = 16, TAPS = 2 * RADIUS + 1, BLOCK = 512;

__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS];
  const int t = threadIdx.x;
  const int first = blockIdx.x * BLOCK;
  const float own_weight = weights[t % 32];
  const float last_weight = weights[TAPS - 1];
  for (int e = t; e < BLOCK + 2 * RADIUS; e += BLOCK) {
    const int i = first - RADIUS + e;
    tile[e] = i >= 0 && i < n ? input[i] : 0.0f;
  }
  __syncthreads();

  float sum = last_weight * tile[t + TAPS - 1];
  for (int tap = 0; tap < TAPS - 1; ++tap) {
    sum += __shfl_sync(0xffffffff, own_weight, tap) * tile[t + tap];
  }
  if (first + t < n) output[first + t] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK)};
}
