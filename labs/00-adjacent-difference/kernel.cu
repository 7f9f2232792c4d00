// Lab 00: result[i] = input[i] - input[i - 1] for i >= 1, and result[0] = input[0].
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;  // threads in a block, and elements of result that a block computes

// Given: every thread reads both elements that it needs from global memory.
__global__ void adjacent_difference_global(const int* input, int* result, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  const int left = i > 0 ? input[i - 1] : 0;
  result[i] = input[i] - left;
}

// To write: the same, but a block first copies its BLOCK elements of input into shared memory, and
// each thread reads its left neighbour's from there.
__global__ void adjacent_difference(const int* input, int* result, int n) {
  // YOUR CODE HERE
  //   1. an array of BLOCK ints in shared memory
  //   2. each thread copies one element of input into it, if it has one
  //   3. the barrier
  //   4. each thread that has an element computes it; mind the first thread of a block
}

// Given: enough blocks of BLOCK threads to cover n elements.
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
