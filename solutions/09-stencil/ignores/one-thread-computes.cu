// expect: technique/7=fail -- right, but one thread computes all of a block's results
#include <tessera/lab.cuh>

constexpr int BLOCK = 256, RADIUS = 16, TAPS = 33;

__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS], w[TAPS], out[BLOCK];
  const int t = threadIdx.x, first = blockIdx.x * BLOCK;
  if (t >= 32) {
    for (int e = t - 32; e < BLOCK + 2 * RADIUS; e += BLOCK - 32) {
      const int i = first + e - RADIUS;
      tile[e] = i >= 0 && i < n ? input[i] : 0;
    }
  } else {
    w[t] = weights[t];
    if (t == 0) w[32] = weights[32];
  }
  __syncthreads();
  if (t == 0)
    for (int o = 0; o < BLOCK; ++o) {
      float sum = 0;
      for (int j = 0; j < TAPS; ++j) sum += w[j] * tile[o + j];
      out[o] = sum;
    }
  __syncthreads();
  if (first + t < n) output[first + t] = out[t];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
