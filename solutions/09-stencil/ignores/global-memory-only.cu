// expect: technique/1=fail, technique/2=fail -- no tile
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;            // threads of a block, and elements of output that it computes
constexpr int RADIUS = 16;            // neighbours on either side
constexpr int TAPS = 2 * RADIUS + 1;  // how many weights there are

// output[i] = weights[0] * input[i - RADIUS] + ... + weights[2 * RADIUS] * input[i + RADIUS],
// where input is 0 before its first element and after its last.
__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;

  float sum = 0.0f;
  for (int j = 0; j < TAPS; ++j) {
    const int place = i + j - RADIUS;
    if (place >= 0 && place < n) sum += weights[j] * input[place];
  }
  output[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
