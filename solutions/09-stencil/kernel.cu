// Lab 09: a weighted sum of each element and its neighbours, RADIUS to either side.
// BEGIN SOLUTION
//
// A block computes BLOCK elements and needs RADIUS more on either side of them: its halo. It copies
// all of them, BLOCK + 2 * RADIUS, once into shared memory, with zeros beyond the ends of input;
// from there a thread reads its neighbours without asking where the block or the vector ends. The
// weights are copied too, because every thread needs all of them.
// END SOLUTION
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
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. an array in shared memory for the elements that the block needs: how many are they?
  //: //   2. copy them: there are more elements than threads; zeros where there is no element
  //: //   3. the weights, too; then a barrier
  //: //   4. sum up TAPS products, and store the sum once
  __shared__ float tile[BLOCK + 2 * RADIUS];  // this block's piece of input, with its halo
  __shared__ float w[TAPS];

  const int t = threadIdx.x;
  const int first = blockIdx.x * BLOCK - RADIUS;  // index of tile[0] in input
  for (int s = t; s < BLOCK + 2 * RADIUS; s += BLOCK) {
    const int place = first + s;
    tile[s] = place >= 0 && place < n ? input[place] : 0.0f;
  }
  if (t < TAPS) w[t] = weights[t];
  __syncthreads();  // tile and weights are complete; every thread reaches it

  const int i = blockIdx.x * BLOCK + t;
  if (i < n) {
    float sum = 0.0f;
    for (int j = 0; j < TAPS; ++j) {
      sum += w[j] * tile[t + j];
    }
    output[i] = sum;
  }
  // END SOLUTION
}

// Given: enough blocks of BLOCK threads to cover n elements.
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
