// expect: technique/8=fail -- copies are waited for after arithmetic without use
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>
#include <tessera/mma.cuh>

constexpr int ROWS = 128;  // a block computes ROWS x COLS elements of C
constexpr int COLS = 256;
constexpr int DEPTH = 64;      // columns of A's tile and rows of B's tile
constexpr int WARP_ROWS = 64;  // a warp computes WARP_ROWS x WARP_COLS elements of C
constexpr int WARP_COLS = 64;
constexpr int WARPS_ACROSS = COLS / WARP_COLS;
constexpr int THREADS = 32 * WARPS_ACROSS * (ROWS / WARP_ROWS);
constexpr int STAGES = 3;          // phases whose tiles are in shared memory
constexpr int STEPS = DEPTH / 16;  // of a phase; a step uses 16 columns of A's tile
constexpr int PIECE = 8;           // elements, 16 bytes: what one copy moves

/// The tiles of one phase.
struct Tiles {
  __nv_bfloat16 A[ROWS][DEPTH];
  __nv_bfloat16 B[DEPTH][COLS];
};

/// A warp's fragments for the products of one step. An element of b holds two of them.
struct Fragments {
  unsigned a[WARP_ROWS / 16][4];
  unsigned b[WARP_COLS / 16][4];
};

/// The two neighbouring elements that begin with `first`, as one access of 8 bytes. The address of
/// `first` must be a multiple of 8.
__device__ float2& two(float& first) {
  return reinterpret_cast<float2&>(first);
}

/// The column of a tile in which the element of this row and column lies.
__device__ int swizzled(int row, int col) {
  return col ^ row % 8 * PIECE;
}

/// Starts this thread's copies of the two tiles.
__device__ void start_copies(Tiles& to, Matrix<const __nv_bfloat16> A_tile,
                             Matrix<const __nv_bfloat16> B_tile) {
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / PIECE / THREADS; ++i) {
    const int row = threadIdx.x / (DEPTH / PIECE) + i * (PIECE * THREADS / DEPTH);
    const int col = threadIdx.x % (DEPTH / PIECE) * PIECE;
    __pipeline_memcpy_async(&to.A[row][swizzled(row, col)], &A_tile(row, col), 16);
  }
#pragma unroll
  for (int i = 0; i < DEPTH * COLS / PIECE / THREADS; ++i) {
    const int row = threadIdx.x / (COLS / PIECE) + i * (PIECE * THREADS / COLS);
    const int col = threadIdx.x % (COLS / PIECE) * PIECE;
    __pipeline_memcpy_async(&to.B[row][swizzled(row, col)], &B_tile(row, col), 16);
  }
}

/// Loads the fragments of a step. The warp's part of the tile of C begins at (row, col).
__device__ void load(const Tiles& tiles, int step, int row, int col, Fragments& to) {
  const int lane = threadIdx.x % 32;
  const int down = lane % 16;           // lanes 0 to 15 name rows of the left matrices,
  const int right = lane / 16 * PIECE;  // the others of the right ones
#pragma unroll
  for (int j = 0; j < WARP_COLS / 16; ++j) {
    const int r = 16 * step + down;
    ldmatrix_x4_trans(to.b[j], &tiles.B[r][swizzled(r, col + 16 * j + right)]);
  }
#pragma unroll
  for (int i = 0; i < WARP_ROWS / 16; ++i) {
    const int r = row + 16 * i + down;
    ldmatrix_x4(to.a[i], &tiles.A[r][swizzled(r, 16 * step + right)]);
  }
}

// m is a multiple of ROWS, n of COLS, k of DEPTH. The pitches of A and B are multiples of 8, that
// of C is even, and the first element of each matrix lies at a multiple of 16 bytes.
__global__ void __launch_bounds__(THREADS)
    matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B, Matrix<float> C) {
  extern __shared__ __align__(128) Tiles tiles[];  // of STAGES phases
  const int warp = threadIdx.x / 32;
  const int row = warp / WARPS_ACROSS * WARP_ROWS;  // of the warp's first element in the tile of C
  const int col = warp % WARPS_ACROSS * WARP_COLS;
  const int phases = A.width / DEPTH;

  auto A_tile = A.view(blockIdx.y * ROWS, 0, ROWS, DEPTH);  // the next ones to copy
  auto B_tile = B.view(0, blockIdx.x * COLS, DEPTH, COLS);
  const auto start = [&](int phase) {
    if (phase < phases) {
      start_copies(tiles[phase % STAGES], A_tile, B_tile);
      A_tile.data += DEPTH;
      B_tile.data += DEPTH * B.pitch;
    }
    __pipeline_commit();  // a group in any case
  };
  start(0);

  float sums[WARP_ROWS / 16][WARP_COLS / 8][4] = {};
  Fragments fragments[2];
  __pipeline_wait_prior(0);
  __syncthreads();
  load(tiles[0], 0, row, col, fragments[0]);

  for (int phase = 0; phase < phases; ++phase) {
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      int from = phase;
      if (step + 1 == STEPS) {
        start(phase + 1);
        float idle = static_cast<float>(phase);
#pragma unroll 1
        for (int i = 0; i < 14; ++i) {
          idle = idle * 0.5f + 1.0f;
          idle = idle * 0.5f + 1.0f;
          idle = idle * 0.5f + 1.0f;
          idle = idle * 0.5f + 1.0f;
          idle = idle * 0.5f + 1.0f;
          idle = idle * 0.5f + 1.0f;
          idle = idle * 0.5f + 1.0f;
          idle = idle * 0.5f + 1.0f;
        }
        if (idle < 0) sums[0][0][0] = 0;  // never
        __pipeline_wait_prior(0);         // this thread's copies for the next phase are there
        __syncthreads();  // those of all threads, and these tiles are read no longer
        from = min(phase + 1, phases - 1);  // after the last phase: again what is there
      }
      load(tiles[from % STAGES], (step + 1) % STEPS, row, col, fragments[(step + 1) % 2]);

      const Fragments& use = fragments[step % 2];
#pragma unroll
      for (int j = 0; j < WARP_COLS / 8; ++j) {
#pragma unroll
        for (int down = 0; down < WARP_ROWS / 16; ++down) {
          const int i = j % 2 == 0 ? down : WARP_ROWS / 16 - 1 - down;  // down, and up again
          mma_m16n8k16(sums[i][j], use.a[i], use.b[j / 2][j % 2 * 2], use.b[j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }

  const auto C_part =
      C.view(blockIdx.y * ROWS + row, blockIdx.x * COLS + col, WARP_ROWS, WARP_COLS);
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < WARP_ROWS / 16; ++i) {
#pragma unroll
    for (int j = 0; j < WARP_COLS / 8; ++j) {
      const int r = 16 * i + lane / 4;
      const int c = 8 * j + lane % 4 * 2;
      two(C_part(r, c)) = make_float2(sums[i][j][0], sums[i][j][1]);
      two(C_part(r + 8, c)) = make_float2(sums[i][j][2], sums[i][j][3]);
    }
  }
}

// Given: a block for each tile of C, with shared memory for the tiles of STAGES phases.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), STAGES * sizeof(Tiles)};
}
