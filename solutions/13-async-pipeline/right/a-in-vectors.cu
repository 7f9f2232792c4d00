// The tile of A is not transposed: its copies are 16 bytes too, and a thread reads it along p.
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>

constexpr int ROWS = 64;  // a block computes ROWS x COLS elements of C
constexpr int COLS = 256;
constexpr int DEPTH = 8;     // columns of A's tile and rows of B's tile
constexpr int OWN_ROWS = 8;  // a thread computes OWN_ROWS x OWN_COLS elements
constexpr int OWN_COLS = 16;
constexpr int ACROSS = COLS / OWN_COLS;            // threads side by side
constexpr int THREADS = ROWS / OWN_ROWS * ACROSS;  // of a block
constexpr int STAGES = 4;                          // phases whose tiles are in shared memory
constexpr int ROW_GROUPS = 4 * (ROWS / OWN_ROWS);  // from a thread's first four rows to the next
constexpr int COL_GROUPS = 4 * ACROSS;             // the same of its columns

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
  float A[ROWS][DEPTH + 4];
  float B[DEPTH][COLS];
};

struct OpA {
  float v[OWN_ROWS][4];
};
struct OpB {
  float b[OWN_COLS];
};
__device__ void read_a(const Tiles& tiles, int p4, int row, OpA& to) {
#pragma unroll
  for (int i = 0; i < OWN_ROWS; ++i)
    unpack(four(tiles.A[row + i % 4 + i / 4 * ROW_GROUPS][p4]), to.v[i]);
}
__device__ void read_b(const Tiles& tiles, int p, int col, OpB& to) {
#pragma unroll
  for (int j = 0; j < OWN_COLS; j += 4)
    unpack(four(tiles.B[p][col + j / 4 * COL_GROUPS]), to.b + j);
}
/// Starts this thread's copies of the tiles that begin in column and row `start`.
__device__ void start_copies(Tiles& to, Matrix<const float> A_rows, Matrix<const float> B_cols,
                             int start) {
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / 4 / THREADS; ++i) {
    const int p = threadIdx.x % (DEPTH / 4) * 4;
    const int row = threadIdx.x / (DEPTH / 4) + i * (THREADS * 4 / DEPTH);
    __pipeline_memcpy_async(&to.A[row][p], &A_rows(row, start + p), sizeof(float4));
  }
#pragma unroll
  for (int i = 0; i < DEPTH * COLS / (4 * THREADS); ++i) {
    const int p = threadIdx.x / (COLS / 4) + i * (4 * THREADS / COLS);
    const int col = threadIdx.x % (COLS / 4) * 4;
    __pipeline_memcpy_async(&to.B[p][col], &B_cols(start + p, col), sizeof(float4));
  }
}

// m is a multiple of ROWS, n one of COLS, k one of DEPTH. The pitches are multiples of 4, and the
// first element of each matrix lies at a multiple of 16 bytes.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ alignas(16) Tiles tiles[STAGES];

  const Matrix<const float> A_rows = A.view(blockIdx.y * ROWS, 0, ROWS, A.width);
  const Matrix<const float> B_cols = B.view(0, blockIdx.x * COLS, B.height, COLS);
  const int row = threadIdx.x / ACROSS * 4;  // this thread's first elements of C
  const int col = threadIdx.x % ACROSS * 4;
  const int phases = A.width / DEPTH;

  for (int phase = 0; phase < STAGES - 1; ++phase) {
    if (phase < phases) start_copies(tiles[phase], A_rows, B_cols, phase * DEPTH);
    __pipeline_commit();
  }

  float sums[OWN_ROWS][OWN_COLS] = {};
  OpA oa[2];
  OpB ob[2];
  for (int phase = 0; phase < phases; ++phase) {
    __pipeline_wait_prior(STAGES - 2);  // this thread's copies for this phase are there
    __syncthreads();                    // those of all threads, and the last phase has ended

    const Tiles& now = tiles[phase % STAGES];
    read_a(now, 0, row, oa[0]);
    read_b(now, 0, col, ob[0]);

    const int coming = phase + STAGES - 1;
    if (coming < phases) start_copies(tiles[coming % STAGES], A_rows, B_cols, coming * DEPTH);
    __pipeline_commit();

#pragma unroll
    for (int p = 0; p < DEPTH; ++p) {
      if (p + 1 < DEPTH) read_b(now, p + 1, col, ob[(p + 1) % 2]);
      if (p == 2) read_a(now, 4, row, oa[1]);
#pragma unroll
      for (int i = 0; i < OWN_ROWS; ++i) {
#pragma unroll
        for (int j = 0; j < OWN_COLS; ++j) sums[i][j] += oa[p / 4].v[i][p % 4] * ob[p % 2].b[j];
      }
    }
  }

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
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), 0};
}
