// Lab 03: C = A B, tile by tile through shared memory.
#include <tessera/lab.cuh>

constexpr int TILE = 16;  // a tile has TILE x TILE elements, a block as many threads

// Every extent is a multiple of TILE. A.height, A.width and so on are the extents; A(row, col) is
// an element; A.view(row, col, rows, cols) is the part of A that starts there. Rows may be padded:
// the next row starts A.pitch elements on, not A.width.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  // YOUR CODE HERE
  //   1. two TILE x TILE arrays in shared memory
  //   2. in each phase: copy a tile of A and a tile of B, each thread one element of each;
  //      a barrier; add TILE products to the sum; a barrier
  //   3. store the sum
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
