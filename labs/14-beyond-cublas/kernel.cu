// Lab 14: C = A B, faster than cuBLAS.
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>

constexpr int ROWS = 64;  // a block computes ROWS x COLS elements of C
constexpr int COLS = 256;
constexpr int DEPTH = 8;     // columns of A's tile and rows of B's tile
constexpr int OWN_ROWS = 8;  // a thread computes OWN_ROWS x OWN_COLS elements
constexpr int OWN_COLS = 16;
constexpr int LANES_DOWN = 4;  // the threads of a warp: LANES_DOWN rows of LANES_ACROSS
constexpr int LANES_ACROSS = 8;
constexpr int WARP_ROWS = LANES_DOWN * OWN_ROWS;  // a warp computes WARP_ROWS x WARP_COLS elements
constexpr int WARP_COLS = LANES_ACROSS * OWN_COLS;
constexpr int WARPS_ACROSS = COLS / WARP_COLS;                   // warps side by side
constexpr int THREADS = 32 * (ROWS / WARP_ROWS) * WARPS_ACROSS;  // of a block
constexpr int STAGES = 4;                     // phases whose tiles are in shared memory
constexpr int ROW_GROUPS = 4 * LANES_DOWN;    // from a thread's first four rows to the next
constexpr int COL_GROUPS = 4 * LANES_ACROSS;  // the same of its columns

/// The four neighbouring elements that begin with `first`, as one access of 16 bytes. The address
/// of `first` must be a multiple of 16.
__device__ const float4& four(const float& first) {
  return reinterpret_cast<const float4&>(first);
}

/// Stores the parts of a float4 in four elements of an array.
__device__ void unpack(float4 from, float* to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
  to[3] = from.w;
}

/// The tiles of one phase. The tile of A is transposed; its rows have 4 elements more, so that the
/// copies into a column of it go to different banks.
struct Tiles {
  float A[DEPTH][ROWS + 4];
  float B[DEPTH][COLS];
};

/// What a thread needs for the products with one column of A's tile and one row of B's.
struct Operands {
  float a[OWN_ROWS];
  float b[OWN_COLS];
};

/// Reads the operands of column and row p. `row` and `col` are this thread's first ones.
__device__ void read(const Tiles& tiles, int p, int row, int col, Operands& to) {
#pragma unroll
  for (int i = 0; i < OWN_ROWS; i += 4)
    unpack(four(tiles.A[p][row + i / 4 * ROW_GROUPS]), to.a + i);
#pragma unroll
  for (int j = 0; j < OWN_COLS; j += 4)
    unpack(four(tiles.B[p][col + j / 4 * COL_GROUPS]), to.b + j);
}

// m is a multiple of ROWS, n one of COLS, k one of DEPTH. The pitches are multiples of 4, and the
// first element of each matrix lies at a multiple of 16 bytes.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  // YOUR CODE HERE
  //   1. the kernel of lab 13, with the elements of a warp as above
  //   2. no branch in the loop over the phases: where there is no further phase, copy the last
  //      tiles once more
  //   3. read the first operands of the next phase before the last products of this one
  //   4. start the copies of A at p = 0, those of B at p = DEPTH / 2, and close the group
  //   5. an order of the products in which each has an operand in common with the one before
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), 0};
}
