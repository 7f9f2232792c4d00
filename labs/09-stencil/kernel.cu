// Lab 09: a weighted sum of each element and its neighbours, RADIUS to either side.
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;            // threads of a block, and elements of output that it computes
constexpr int RADIUS = 16;            // neighbours on either side
constexpr int TAPS = 2 * RADIUS + 1;  // how many weights there are

// Given, to read and to compare with: without shared memory each thread loads TAPS elements and as
// many weights.
__global__ void stencil_global(const float* input, const float* weights, float* output, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;

  float sum = 0.0f;
  for (int j = 0; j < TAPS; ++j) {
    const int place = i + j - RADIUS;
    if (place >= 0 && place < n) sum += weights[j] * input[place];
  }
  output[i] = sum;
}

// output[i] = weights[0] * input[i - RADIUS] + ... + weights[2 * RADIUS] * input[i + RADIUS],
// where input is 0 before its first element and after its last.
__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  // YOUR CODE HERE
  //   1. an array in shared memory for the elements that the block needs: how many are they?
  //   2. copy them: there are more elements than threads; zeros where there is no element
  //   3. the weights, too; then a barrier
  //   4. sum up TAPS products, and store the sum once
}

// Given: enough blocks of BLOCK threads to cover n elements.
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
