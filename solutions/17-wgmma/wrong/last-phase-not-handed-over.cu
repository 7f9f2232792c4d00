// expect: barrier-deadlock -- the copying warpgroup leaves one phase too early
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>
#include <tessera/wgmma.cuh>

constexpr int ROWS = 128;  // a block computes ROWS x COLS elements of C
constexpr int COLS = 256;
constexpr int DEPTH = 64;       // columns of A's tile and rows of B's tile
constexpr int GROUP_ROWS = 64;  // a warpgroup computes GROUP_ROWS x COLS elements of C
constexpr int COPIERS = 128;    // threads that copy; the others multiply
constexpr int THREADS = 128 * (ROWS / GROUP_ROWS) + COPIERS;
constexpr int STAGES = 4;  // phases whose tiles are in shared memory
constexpr int PANEL = 64;  // columns of a panel of B's tile, 128 bytes
constexpr int PIECE = 8;   // elements, 16 bytes: what one copy moves

/// The tiles of one phase. All rows have 128 bytes, so that B's tile is cut into panels.
struct Tiles {
  __nv_bfloat16 A[ROWS][DEPTH];
  __nv_bfloat16 B[COLS / PANEL][DEPTH][PANEL];
};

/// The two neighbouring elements that begin with `first`, as one access of 8 bytes. The address of
/// `first` must be a multiple of 8.
__device__ float2& two(float& first) {
  return reinterpret_cast<float2&>(first);
}

constexpr int AHEAD = STAGES - 1;  // phases that copies are ahead of the products
constexpr int BLOCKS = 128;        // at most; an H200 has 132 multiprocessors
constexpr int GROUP = 16;          // rows of parts that are computed together

/// The first row and column of a part of C that a block computes at a time.
struct Part {
  int row;
  int col;
};

/// The part with that number: GROUP rows of parts, column after column, then the next rows.
__device__ Part part_of(int number, Matrix<float> C) {
  const int across = C.width / COLS;
  const int down = C.height / ROWS;
  const int group = number / (GROUP * across);
  const int height = min(GROUP, down - GROUP * group);  // of this group
  const int row = GROUP * group + number % (GROUP * across) % height;
  const int col = number % (GROUP * across) / height;
  return {row * ROWS, col * COLS};
}

/// The column of a row of 128 bytes in which the element of this row and column lies.
__device__ int swizzled(int row, int col) {
  return col ^ row % 8 * PIECE;
}

/// Start this thread's copies of a tile: eight threads copy a row of 128 bytes.
__device__ void start_copies_of_A(Tiles& to, Matrix<const __nv_bfloat16> A_tile) {
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / PIECE / COPIERS; ++i) {
    const int piece = threadIdx.x % COPIERS + i * COPIERS;
    const int row = piece / (DEPTH / PIECE);
    const int col = piece % (DEPTH / PIECE) * PIECE;
    __pipeline_memcpy_async(&to.A[row][swizzled(row, col)], &A_tile(row, col), 16);
  }
}
__device__ void start_copies_of_B(Tiles& to, Matrix<const __nv_bfloat16> B_tile) {
#pragma unroll
  for (int i = 0; i < DEPTH * COLS / PIECE / COPIERS; ++i) {
    const int piece = threadIdx.x % COPIERS + i * COPIERS;
    const int panel = piece / (DEPTH * PANEL / PIECE);
    const int row = piece / (PANEL / PIECE) % DEPTH;
    const int col = piece % (PANEL / PIECE) * PIECE;
    __pipeline_memcpy_async(&to.B[panel][row][swizzled(row, col)],
                            &B_tile(row, panel * PANEL + col), 16);
  }
}

/// Where all warps of the block meet, each in its own loop: the tiles of a phase are there, and the
/// products of the phase before have ended.
__device__ void meet_when_copied() {
  named_barrier_sync<1, THREADS>();
}
__device__ void meet_when_multiplied() {
  named_barrier_sync<2, THREADS>();
}

/// Starts the products of one phase. The warpgroup's part of A's tile begins at `row`.
__device__ __forceinline__ void start_products(float (&sums)[COLS / 2], const Tiles& tiles,
                                               int row) {
  constexpr int kRowBytes = 128;
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < DEPTH; k += 16) {
    const auto a = wgmma_descriptor(&tiles.A[row][k], 0, 8 * kRowBytes);
    const auto b = wgmma_descriptor(&tiles.B[0][k][0], DEPTH * kRowBytes, 8 * kRowBytes);
    wgmma_m64n256k16(sums, a, b);
  }
  wgmma_commit_group();
}

// m is a multiple of ROWS, n of COLS, k of DEPTH. The pitches of A and B are multiples of 8, that
// of C is even, and the first element of each matrix lies at a multiple of 16 bytes.
__global__ void __launch_bounds__(THREADS)
    matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B, Matrix<float> C) {
  extern __shared__ __align__(1024) Tiles tiles[];  // of STAGES phases
  const int phases = A.width / DEPTH;               // of a part of C
  const int parts = C.height / ROWS * (C.width / COLS);
  if (threadIdx.x >= THREADS - COPIERS) {  // the warpgroup that copies
    const int blocks = gridDim.x;
    int number = blockIdx.x;
    const int all = ((parts - 1 - number) / blocks + 1) * phases;  // phases of all its parts
    int phase = 0, n = 0;                                          // of the part, and of all
    Part part = part_of(number, C);
    auto A_tile = A.view(part.row, 0, ROWS, DEPTH);  // the next ones to copy
    auto B_tile = B.view(0, part.col, DEPTH, COLS);
    const auto start_copies = [&]() __attribute__((always_inline)) {
      if (n < all) {
        start_copies_of_A(tiles[n % STAGES], A_tile);
        start_copies_of_B(tiles[n % STAGES], B_tile);
        A_tile.data += DEPTH;
        B_tile.data += DEPTH * B.pitch;
        ++n;
        if (++phase == phases) {
          phase = 0;
          number += blocks;
          part = part_of(number, C);
          A_tile = A.view(part.row, 0, ROWS, DEPTH);
          B_tile = B.view(0, part.col, DEPTH, COLS);
        }
      }
      __pipeline_commit();  // a group for each phase, in any case
    };
    for (int i = 0; i < AHEAD; ++i) start_copies();
    for (int i = 0; i < all - 1; ++i) {
      __pipeline_wait_prior(AHEAD - 1);  // this thread's copies for phase i are there,
      fence_proxy_async();               // and visible to the tensor cores
      meet_when_copied();
      meet_when_multiplied();
      start_copies();
    }
    return;
  }

  const int row = threadIdx.x / 128 * GROUP_ROWS;  // of the warpgroup's first element of a part
  const int warp = threadIdx.x / 32 % 4;           // in the warpgroup
  const int lane = threadIdx.x % 32;
  int n = 0;  // phases so far
  for (int number = blockIdx.x; number < parts; number += gridDim.x) {
    float sums[COLS / 2] = {};
    for (int phase = 0; phase < phases; ++phase) {
      meet_when_copied();
      start_products(sums, tiles[n % STAGES], row);
      wgmma_wait_group<1>();
      meet_when_multiplied();
      ++n;
    }
    wgmma_wait_group<0>();

    const Part part = part_of(number, C);
    const auto C_part = C.view(part.row + row + 16 * warp, part.col, 16, COLS);
#pragma unroll
    for (int j = 0; j < COLS / 8; ++j) {
      const int r = lane / 4;
      const int c = 8 * j + lane % 4 * 2;
      two(C_part(r, c)) = make_float2(sums[4 * j], sums[4 * j + 1]);
      two(C_part(r + 8, c)) = make_float2(sums[4 * j + 2], sums[4 * j + 3]);
    }
  }
}

// Blocks that each compute several parts of C, with shared memory for the tiles of STAGES phases.
__host__ __device__ Launch launch(int m, int n, int k) {
  const int parts = n / COLS * (m / ROWS);
  return {dim3(parts < BLOCKS ? parts : BLOCKS), dim3(THREADS), STAGES * sizeof(Tiles)};
}
