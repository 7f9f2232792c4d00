// Lab 00: C = A B, one thread for each element of C.
// BEGIN SOLUTION
//
// threadIdx.x runs along the columns of C, so a warp covers 16 columns of 2 rows: a load of A takes
// 2 sectors, and so does a load of B.
// END SOLUTION
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;  // a block has BLOCK x BLOCK threads

// A is m x k, B is k x n, C is m x n, row after row without gaps.
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. which element of C is this thread's, and is there such an element?
  //: //   2. sum up k products, and store the sum once
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += A[row * k + p] * B[p * n + col];
  }
  C[row * n + col] = sum;
  // END SOLUTION
}

// Given: blocks along x cover the n columns of C, blocks along y its m rows.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
