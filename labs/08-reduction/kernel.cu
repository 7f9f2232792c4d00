// Lab 08: the sum of each piece of a vector, one block for each piece.
#include <tessera/lab.cuh>

constexpr int PIECE = 256;  // elements of a piece, and threads of a block

// partial[b] = input[b * PIECE] + ... + input[b * PIECE + PIECE - 1]. n = blocks * PIECE.
__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  // YOUR CODE HERE
  //   1. a tree in shared memory: half of the threads add what the other half has, then a
  //      quarter, ... with a barrier after each step
  //   2. when that works: within a warp no barrier is needed; __shfl_down_sync adds 32 values
  //      in 5 steps without any memory
}

// Given: a block for each piece.
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
