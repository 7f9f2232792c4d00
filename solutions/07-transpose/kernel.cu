// Lab 07: B = A transposed, through shared memory.
// BEGIN SOLUTION
//
// A block moves one TILE x TILE tile of A to its mirrored place in B. threadIdx.x runs along rows
// of A while it loads and along rows of B while it stores, so a warp always touches 32 neighbours
// in global memory (4 sectors). The tile is transposed in shared memory, where a warp reads a
// column: one element of padding in each row puts its 32 elements into 32 different banks.
// END SOLUTION
#include <tessera/lab.cuh>

constexpr int TILE = 32;  // a block has TILE x TILE threads

// B(row, col) = A(col, row). A may have any extents; B has the same, exchanged.
__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. an array in shared memory for one tile
  //: //   2. copy a tile of A into it, a warp along a row; a barrier
  //: //   3. store the tile to its place in B, a warp along a row of B
  //: //   4. when that works: which elements does a warp read from the array, and in which banks?
  __shared__ float tile[TILE][TILE + 1];

  const int row = blockIdx.y * TILE + threadIdx.y;  // in A
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (row < A.height && col < A.width) {
    tile[threadIdx.y][threadIdx.x] = A(row, col);
  }
  __syncthreads();

  const int row_of_b = blockIdx.x * TILE + threadIdx.y;
  const int col_of_b = blockIdx.y * TILE + threadIdx.x;
  if (row_of_b < B.height && col_of_b < B.width) {
    B(row_of_b, col_of_b) = tile[threadIdx.x][threadIdx.y];
  }
  // END SOLUTION
}

// Given: a block for each tile of A.
__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
