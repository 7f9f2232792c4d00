// Few blocks walk over the vector; the weights are copied once a block.
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;
constexpr int RADIUS = 16;
constexpr int TAPS = 2 * RADIUS + 1;

__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS];
  __shared__ float w[TAPS];
  const int t = threadIdx.x;
  if (t < TAPS) w[t] = weights[t];
  for (int start = blockIdx.x * BLOCK; start < n; start += gridDim.x * BLOCK) {
    for (int s = t; s < BLOCK + 2 * RADIUS; s += BLOCK) {
      const int place = start - RADIUS + s;
      tile[s] = place >= 0 && place < n ? input[place] : 0.0f;
    }
    __syncthreads();
    if (start + t < n) {
      float sum = 0.0f;
      for (int j = 0; j < TAPS; ++j) sum += w[j] * tile[t + j];
      output[start + t] = sum;
    }
    __syncthreads();
  }
}

__host__ __device__ Launch launch(int n) {
  const int blocks = ceil_div(n, BLOCK);
  return {dim3(blocks < 1056 ? blocks : 1056), dim3(BLOCK), 0};
}
