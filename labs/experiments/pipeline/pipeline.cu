// The pipeline of lab 14 with its choices as parameters.
//
// A block computes ROWS x COLS elements of C, a thread 8 x 16, a warp 32 x 128. Tiles of 8 columns
// of A and 8 rows of B travel by asynchronous copies; STAGES of each are in shared memory. The
// rows of A's tile, which is transposed, have PAD elements more. ORDER: the products go along the
// rows of a thread's elements (0), along their columns (1), or down a column and up the next (2).
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>

#ifndef STAGES
#define STAGES 4
#endif
#ifndef ROWS
#define ROWS 64
#endif
#ifndef COLS
#define COLS 256
#endif
#ifndef ORDER
#define ORDER 2
#endif
#ifndef PAD
#define PAD 4
#endif

constexpr int DEPTH = 8;
constexpr int OWN_ROWS = 8;
constexpr int OWN_COLS = 16;
constexpr int LANES_DOWN = 4;
constexpr int LANES_ACROSS = 8;
constexpr int WARP_ROWS = LANES_DOWN * OWN_ROWS;
constexpr int WARP_COLS = LANES_ACROSS * OWN_COLS;
constexpr int WARPS_ACROSS = COLS / WARP_COLS;
constexpr int THREADS = 32 * (ROWS / WARP_ROWS) * WARPS_ACROSS;
constexpr int ROW_GROUPS = 4 * LANES_DOWN;    // from a thread's first four rows to the next
constexpr int COL_GROUPS = 4 * LANES_ACROSS;  // the same for its columns

__device__ const float4& four(const float& first) {
  return reinterpret_cast<const float4&>(first);
}

__device__ void unpack(float4 from, float* to) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
  to[3] = from.w;
}

struct Tiles {
  float A[DEPTH][ROWS + PAD];
  float B[DEPTH][COLS];
};

struct Operands {
  float a[OWN_ROWS];
  float b[OWN_COLS];
};

__device__ void read(const Tiles& tiles, int p, int row, int col, Operands& to) {
#pragma unroll
  for (int i = 0; i < OWN_ROWS; i += 4)
    unpack(four(tiles.A[p][row + i / 4 * ROW_GROUPS]), to.a + i);
#pragma unroll
  for (int j = 0; j < OWN_COLS; j += 4)
    unpack(four(tiles.B[p][col + j / 4 * COL_GROUPS]), to.b + j);
}

__device__ void start_copies_of_A(Tiles& to, Matrix<const float> A_rows, int start) {
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / THREADS; ++i) {
    const int p = threadIdx.x % DEPTH;
    const int row = threadIdx.x / DEPTH + i * (THREADS / DEPTH);
    __pipeline_memcpy_async(&to.A[p][row], &A_rows(row, start + p), sizeof(float));
  }
}

__device__ void start_copies_of_B(Tiles& to, Matrix<const float> B_cols, int start) {
#pragma unroll
  for (int i = 0; i < DEPTH * COLS / (4 * THREADS); ++i) {
    const int piece = threadIdx.x + i * THREADS;
    const int p = piece / (COLS / 4);
    const int col = piece % (COLS / 4) * 4;
    __pipeline_memcpy_async(&to.B[p][col], &B_cols(start + p, col), sizeof(float4));
  }
}

/// Adds the products of one p, in the order ORDER.
__device__ void add_products(const Operands& use, float (&sums)[OWN_ROWS][OWN_COLS]) {
#pragma unroll
  for (int step = 0; step < OWN_ROWS * OWN_COLS; ++step) {
    const int down = step % OWN_ROWS;
    const bool up = ORDER == 2 && step / OWN_ROWS % 2 == 1;
    const int i = ORDER == 0 ? step / OWN_COLS : up ? OWN_ROWS - 1 - down : down;
    const int j = ORDER == 0 ? step % OWN_COLS : step / OWN_ROWS;
    sums[i][j] += use.a[i] * use.b[j];
  }
}

__global__ void pipeline(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  extern __shared__ __align__(16) Tiles tiles[];  // of STAGES phases
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
  __pipeline_wait_prior(0);

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

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), STAGES * sizeof(Tiles)};
}
