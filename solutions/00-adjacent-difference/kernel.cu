// Lab 00: result[i] = input[i] - input[i - 1] for i >= 1, and result[0] = input[0].
// BEGIN SOLUTION
//
// A block computes BLOCK neighbouring elements of result, a thread one of them. First the block
// copies its BLOCK elements of input into shared memory: the 32 threads of a warp read 32
// neighbouring ints, 4 sectors, the fewest possible. Then each thread reads its own element and its
// left neighbour's from shared memory, 32 neighbouring banks, no conflict. Only the left neighbour
// of a block's first element belongs to another block; one thread fetches it from global memory.
// END SOLUTION
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
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. an array of BLOCK ints in shared memory
  //: //   2. each thread copies one element of input into it, if it has one
  //: //   3. the barrier
  //: //   4. each thread that has an element computes it; mind the first thread of a block
  __shared__ int tile[BLOCK];  // this block's piece of input

  const int t = threadIdx.x;             // place in the block
  const int i = blockIdx.x * BLOCK + t;  // place in input and result

  if (i < n) tile[t] = input[i];
  __syncthreads();  // the tile is complete; outside the guard, so that every thread reaches it

  if (i < n) {
    int left = 0;  // what counts as the left neighbour of input[0]
    if (t > 0) {
      left = tile[t - 1];
    } else if (i > 0) {
      left = input[i - 1];  // the block's edge
    }
    result[i] = tile[t] - left;
  }
  // END SOLUTION
}

// Given: enough blocks of BLOCK threads to cover n elements.
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
