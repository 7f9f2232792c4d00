// expect: technique/2=fail -- right, but every thread loads all its neighbours' elements
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;
constexpr int RADIUS = 16;
constexpr int TAPS = 2 * RADIUS + 1;

__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  float w[TAPS];
  for (int j = 0; j < TAPS; ++j) w[j] = weights[j];
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < TAPS; ++j) {
    const int place = i + j - RADIUS;
    if (place >= 0 && place < n) sum += w[j] * input[place];
  }
  output[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
