// Lab 07: B = A transposed, through shared memory.
#include <tessera/lab.cuh>

constexpr int TILE = 32;  // a block has TILE x TILE threads

// B(row, col) = A(col, row). A may have any extents; B has the same, exchanged.
__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  // YOUR CODE HERE
  //   1. an array in shared memory for one tile
  //   2. copy a tile of A into it, a warp along a row; a barrier
  //   3. store the tile to its place in B, a warp along a row of B
  //   4. when that works: which elements does a warp read from the array, and in which banks?
}

// Given: a block for each tile of A.
__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
