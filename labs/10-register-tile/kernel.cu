// Lab 10: C = A B, with 8 x 8 elements of C in the registers of each thread.
#include <tessera/lab.cuh>

constexpr int TILE = 128;         // a block computes TILE x TILE elements of C
constexpr int DEPTH = 8;          // columns of A's tile and rows of B's tile
constexpr int OWN = 8;            // a thread computes OWN x OWN elements
constexpr int SIDE = TILE / OWN;  // a block has SIDE x SIDE threads
constexpr int THREADS = SIDE * SIDE;

// m and n are multiples of TILE, k is one of DEPTH.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  // YOUR CODE HERE
  //   1. shared memory for TILE x DEPTH elements of A and DEPTH x TILE of B
  //   2. OWN x OWN sums in registers: an array, all of whose indices are known when the code is
  //      compiled, so unroll every loop over it (#pragma unroll)
  //   3. in each phase: all threads copy both tiles, 4 elements of each per thread; a barrier;
  //      for each of the DEPTH columns read OWN elements of As and OWN of Bs, and add all
  //      OWN x OWN products; a barrier
  //   4. store the sums
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
