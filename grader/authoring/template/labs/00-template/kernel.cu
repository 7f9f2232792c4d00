// Lab 00: C = A B, one thread for each element of C.
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;  // a block has BLOCK x BLOCK threads

// A is m x k, B is k x n, C is m x n, row after row without gaps.
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  // YOUR CODE HERE
  //   1. which element of C is this thread's, and is there such an element?
  //   2. sum up k products, and store the sum once
}

// Given: blocks along x cover the n columns of C, blocks along y its m rows.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
