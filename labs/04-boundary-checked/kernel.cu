// Lab 04: C = A B, tile by tile, for any extents.
#include <tessera/lab.cuh>

constexpr int TILE = 16;  // a tile has TILE x TILE elements, a block as many threads

// A is m x k, B is k x n, C is m x n: A.height, A.width and so on. No extent need be a multiple of
// TILE, so the last tiles stick out over the edge.
__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  // YOUR CODE HERE
  //   Start from your kernel of lab 03. What has to change:
  //   1. the number of phases: the last one may be a part of a tile
  //   2. a thread whose element of A or B does not exist puts a zero into its tile
  //   3. a thread whose element of C does not exist stores nothing, but reaches every barrier
}

// Given: a block for each tile of C, and for each part of a tile at the edge.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
