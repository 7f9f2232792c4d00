// A third warpgroup copies, and two mbarriers for each stage take the place of barriers.
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>
#include <tessera/wgmma.cuh>

constexpr int ROWS = 128;  // a block computes ROWS x COLS elements of C
constexpr int COLS = 256;
constexpr int DEPTH = 64;       // columns of A's tile and rows of B's tile
constexpr int GROUP_ROWS = 64;  // a warpgroup computes GROUP_ROWS x COLS elements of C
constexpr int THREADS = 128 * (ROWS / GROUP_ROWS);
constexpr int COPIERS = 128;
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
constexpr int GROUP = 16;  // rows of blocks that run together

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
/// Waits until the phase of the mbarrier with that parity is complete.
__device__ void wait_for(__mbarrier_t* barrier, int parity) {
  while (!__mbarrier_test_wait_parity(barrier, parity)) {
  }
}
__device__ void arrive(__mbarrier_t* barrier) {
  (void)__mbarrier_arrive(barrier);
}

__global__ void __launch_bounds__(THREADS + COPIERS, 1)
    matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B, Matrix<float> C) {
  extern __shared__ __align__(1024) Tiles tiles[];  // of STAGES phases
  __shared__ __mbarrier_t full[STAGES], empty[STAGES];
  const int phases = A.width / DEPTH;
  const int across = gridDim.x;
  const int down = gridDim.y;
  const int id = blockIdx.y * across + blockIdx.x;
  const int group = id / (GROUP * across);
  const int height = min(GROUP, down - GROUP * group);  // of this group
  const int block_row = GROUP * group + id % (GROUP * across) % height;
  const int block_col = id % (GROUP * across) / height;
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; ++i) {
      __mbarrier_init(&full[i], COPIERS);
      __mbarrier_init(&empty[i], THREADS / 32);
    }
  }
  __syncthreads();
  if (threadIdx.x >= THREADS) {
    auto A_tile = A.view(block_row * ROWS, 0, ROWS, DEPTH);
    auto B_tile = B.view(0, block_col * COLS, DEPTH, COLS);
    for (int phase = 0; phase < phases; ++phase) {
      const int stage = phase % STAGES;
      if (phase >= STAGES) wait_for(&empty[stage], (phase / STAGES + 1) % 2);
      start_copies_of_A(tiles[stage], A_tile);
      start_copies_of_B(tiles[stage], B_tile);
      __pipeline_commit();
      A_tile.data += DEPTH;
      B_tile.data += DEPTH * B.pitch;
      if (phase == 0) continue;
      __pipeline_wait_prior(1);
      fence_proxy_async();
      arrive(&full[(phase - 1) % STAGES]);
    }
    __pipeline_wait_prior(0);
    fence_proxy_async();
    arrive(&full[(phases - 1) % STAGES]);
    return;
  }
  const int row = threadIdx.x / 128 * GROUP_ROWS;  // of the warpgroup's first element of C
  float sums[COLS / 2] = {};
  for (int phase = 0; phase < phases; ++phase) {
    wait_for(&full[phase % STAGES], phase / STAGES % 2);
    start_products(sums, tiles[phase % STAGES], row);
    wgmma_wait_group<1>();  // this warp no longer uses the stage of the phase before
    if (phase > 0 && threadIdx.x % 32 == 31) arrive(&empty[(phase - 1) % STAGES]);
  }
  wgmma_wait_group<0>();

  const int warp = threadIdx.x / 32 % 4;  // in the warpgroup
  const auto C_part = C.view(block_row * ROWS + row + 16 * warp, block_col * COLS, 16, COLS);
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < COLS / 8; ++j) {
    const int r = lane / 4;
    const int c = 8 * j + lane % 4 * 2;
    two(C_part(r, c)) = make_float2(sums[4 * j], sums[4 * j + 1]);
    two(C_part(r + 8, c)) = make_float2(sums[4 * j + 2], sums[4 * j + 3]);
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS + COPIERS), STAGES * sizeof(Tiles)};
}
