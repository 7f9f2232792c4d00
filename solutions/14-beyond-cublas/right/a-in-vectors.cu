// The tile of A is not transposed: its copies are 16 bytes too, and a thread reads it along p.
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
/// Starts this thread's copies of the tile of A that begins in column `start`.
__device__ void start_copies_of_A(Tiles& to, Matrix<const float> A_rows, int start) {
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / 4 / THREADS; ++i) {
    const int p = threadIdx.x % (DEPTH / 4) * 4;
    const int row = threadIdx.x / (DEPTH / 4) + i * (THREADS * 4 / DEPTH);
    __pipeline_memcpy_async(&to.A[row][p], &A_rows(row, start + p), sizeof(float4));
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
__device__ void add_products(const OpA& ua, int q, const OpB& use,
                             float (&sums)[OWN_ROWS][OWN_COLS]) {
#pragma unroll
  for (int j = 0; j < OWN_COLS; ++j) {
#pragma unroll
    for (int step = 0; step < OWN_ROWS; ++step) {
      const int i = j % 2 == 0 ? step : OWN_ROWS - 1 - step;
      sums[i][j] += ua.v[i][q] * use.b[j];
    }
  }
}

// m is a multiple of ROWS, n one of COLS, k one of DEPTH. The pitches are multiples of 4, and the
// first element of each matrix lies at a multiple of 16 bytes.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
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
  OpA oa[2];
  OpB ob[2];
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();
  read_a(tiles[0], 0, row, oa[0]);
  read_b(tiles[0], 0, col, ob[0]);

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
        read_b(now, p + 1, col, ob[(p + 1) % 2]);
        if (p == 2) read_a(now, 4, row, oa[1]);
      } else {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies for the next phase are there
        __syncthreads();                    // those of all threads, and `now` is free
        read_b(next, 0, col, ob[0]);
        read_a(next, 0, row, oa[0]);
      }
      add_products(oa[p / 4], p % 4, ob[p % 2], sums);
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
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), 0};
}
