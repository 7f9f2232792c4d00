// Lab 01: C = A B from global memory, one thread for each element of C.
// BEGIN SOLUTION
//
// A block computes BLOCK x BLOCK elements of C, a thread one of them: the product of a row of A
// with a column of B. threadIdx.x runs along the columns of C, so a warp (16 x 2 threads) covers 16
// columns of 2 rows. In step p it reads A[row][p] at two addresses (each serves 16 threads: 2
// sectors), and B[p][col] at 16 neighbouring ones (2 sectors); it stores 2 pieces of 64 bytes, 4
// sectors. The kernel reuses no element: 2 k loads for each element of C.
// END SOLUTION
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;  // a block has BLOCK x BLOCK threads

// A is m x k, B is k x n, C is m x n, any extents. Row after row without gaps: the element of A in
// row i and column p is A[i * k + p].
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. which row and column of C is this thread's?
  //: //   2. is there such an element?
  //: //   3. sum up k products, and store the sum once
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= m || col >= n) return;  // the last blocks stick out over the edge of C

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
