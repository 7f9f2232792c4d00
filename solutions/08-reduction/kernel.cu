// Lab 08: the sum of each piece of a vector, one block for each piece.
// BEGIN SOLUTION
//
// A thread loads one element. A warp adds its 32 by shuffles: in each of 5 steps a lane adds the
// value of the lane `step` places further on. The 8 warps store their sums in shared memory, and
// after the only barrier the first warp adds these in the same way.
// END SOLUTION
#include <tessera/lab.cuh>

constexpr int PIECE = 256;  // elements of a piece, and threads of a block
// BEGIN SOLUTION
constexpr int WARPS = PIECE / 32;

// The sum of all lanes' values, in lane 0.
__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_down_sync(0xffffffff, value, step);
  }
  return value;
}
// END SOLUTION

// partial[b] = input[b * PIECE] + ... + input[b * PIECE + PIECE - 1]. n = blocks * PIECE.
__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. a tree in shared memory: half of the threads add what the other half has, then a
  //: //      quarter, ... with a barrier after each step
  //: //   2. when that works: within a warp no barrier is needed; __shfl_down_sync adds 32 values
  //: //      in 5 steps without any memory
  __shared__ float sums[WARPS];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float sum = warp_sum(input[blockIdx.x * PIECE + threadIdx.x]);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    sum = warp_sum(lane < WARPS ? sums[lane] : 0.0f);
    if (lane == 0) partial[blockIdx.x] = sum;
  }
  // END SOLUTION
}

// Given: a block for each piece.
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
