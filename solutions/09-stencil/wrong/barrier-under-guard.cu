// expect: divergent-barrier -- threads beyond the end never reach it
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;            // threads of a block, and elements of output that it computes
constexpr int RADIUS = 16;            // neighbours on either side
constexpr int TAPS = 2 * RADIUS + 1;  // how many weights there are

// output[i] = weights[0] * input[i - RADIUS] + ... + weights[2 * RADIUS] * input[i + RADIUS],
// where input is 0 before its first element and after its last.
__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS];
  __shared__ float w[TAPS];

  const int t = threadIdx.x;
  const int first = blockIdx.x * BLOCK - RADIUS;
  for (int s = t; s < BLOCK + 2 * RADIUS; s += BLOCK) {
    const int place = first + s;
    tile[s] = place >= 0 && place < n ? input[place] : 0.0f;
  }
  if (t < TAPS) w[t] = weights[t];

  const int i = blockIdx.x * BLOCK + t;
  if (i < n) {
    __syncthreads();
    float sum = 0.0f;
    for (int j = 0; j < TAPS; ++j) {
      sum += w[j] * tile[t + j];
    }
    output[i] = sum;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
