// Lab 14: C = A B, faster than cuBLAS.
// BEGIN SOLUTION
//
// The pipeline of lab 13, with nothing in its loop that keeps the compiler from mixing loads,
// copies and products: no branch, since the last phases copy the last tiles once more; operands
// that are read one step ahead, also from one phase to the next; copies that start in two places.
// The products go down a column of the thread's elements and up the next, so that each has an
// operand in common with the one before. A warp computes 32 x 128 elements.
// END SOLUTION
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

// BEGIN SOLUTION
/// Starts this thread's copies of the tile of A that begins in column `start`.
__device__ void start_copies_of_A(Tiles& to, Matrix<const float> A_rows, int start) {
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / THREADS; ++i) {
    const int p = threadIdx.x % DEPTH;
    const int row = threadIdx.x / DEPTH + i * (THREADS / DEPTH);
    __pipeline_memcpy_async(&to.A[p][row], &A_rows(row, start + p), sizeof(float));
  }
}

/// Starts this thread's copies of the tile of B that begins in row `start`.
__device__ void start_copies_of_B(Tiles& to, Matrix<const float> B_cols, int start) {
#pragma unroll
  for (int i = 0; i < DEPTH * COLS / (4 * THREADS); ++i) {
    const int p = threadIdx.x / (COLS / 4) + i * (4 * THREADS / COLS);
    const int col = threadIdx.x % (COLS / 4) * 4;
    __pipeline_memcpy_async(&to.B[p][col], &B_cols(start + p, col), sizeof(float4));
  }
}

/// Adds the products of one p, down a column of the thread's tile and up the next.
__device__ void add_products(const Operands& use, float (&sums)[OWN_ROWS][OWN_COLS]) {
#pragma unroll
  for (int j = 0; j < OWN_COLS; ++j) {
#pragma unroll
    for (int step = 0; step < OWN_ROWS; ++step) {
      const int i = j % 2 == 0 ? step : OWN_ROWS - 1 - step;
      sums[i][j] += use.a[i] * use.b[j];
    }
  }
}

// END SOLUTION
// m is a multiple of ROWS, n one of COLS, k one of DEPTH. The pitches are multiples of 4, and the
// first element of each matrix lies at a multiple of 16 bytes.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   1. the kernel of lab 13, with the elements of a warp as above
  //: //   2. no branch in the loop over the phases: where there is no further phase, copy the last
  //: //      tiles once more
  //: //   3. read the first operands of the next phase before the last products of this one
  //: //   4. start the copies of A at p = 0, those of B at p = DEPTH / 2, and close the group
  //: //   5. an order of the products in which each has an operand in common with the one before
  __shared__ alignas(16) Tiles tiles[STAGES];

  const Matrix<const float> A_rows = A.view(blockIdx.y * ROWS, 0, ROWS, A.width);
  const Matrix<const float> B_cols = B.view(0, blockIdx.x * COLS, B.height, COLS);
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int row = warp / WARPS_ACROSS * WARP_ROWS + lane / LANES_ACROSS * 4;  // this thread's
  const int col = warp % WARPS_ACROSS * WARP_COLS + lane % LANES_ACROSS * 4;  // first elements
  const int last = A.width / DEPTH - 1;                                       // phase

  for (int phase = 0; phase < STAGES - 1; ++phase) {
    const int start = min(phase, last) * DEPTH;
    start_copies_of_A(tiles[phase], A_rows, start);
    start_copies_of_B(tiles[phase], B_cols, start);
    __pipeline_commit();
  }

  float sums[OWN_ROWS][OWN_COLS] = {};
  Operands operands[2];
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();
  read(tiles[0], 0, row, col, operands[0]);

  int coming = min(STAGES - 1, last);  // the phase whose tiles are copied next
  for (int phase = 0; phase <= last; ++phase) {
    const Tiles& now = tiles[phase % STAGES];
    const Tiles& next = tiles[(phase + 1) % STAGES];
    Tiles& free = tiles[(phase + STAGES - 1) % STAGES];  // the one that was used last

#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      if (p == 0) start_copies_of_A(free, A_rows, coming * DEPTH);
      if (p == DEPTH / 2) {
        start_copies_of_B(free, B_cols, coming * DEPTH);
        __pipeline_commit();
        coming = min(coming + 1, last);
      }
      if (p + 1 < DEPTH) {
        read(now, p + 1, row, col, operands[(p + 1) % 2]);
      } else {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies for the next phase are there
        __syncthreads();                    // those of all threads, and `now` is free
        read(next, 0, row, col, operands[0]);
      }
      add_products(operands[p % 2], sums);
    }
  }
  __pipeline_wait_prior(0);  // nothing is on its way when the kernel ends

  const Matrix<float> C_tile = C.view(blockIdx.y * ROWS, blockIdx.x * COLS, ROWS, COLS);
#pragma unroll
  for (int i = 0; i < OWN_ROWS; ++i) {
#pragma unroll
    for (int j = 0; j < OWN_COLS; ++j) {
      const int to_row = row + i % 4 + i / 4 * ROW_GROUPS;
      const int to_col = col + j % 4 + j / 4 * COL_GROUPS;
      C_tile(to_row, to_col) = sums[i][j];
    }
  }
  // END SOLUTION
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), 0};
}
