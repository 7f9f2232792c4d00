// Lab 17: C = A B by Hopper's tensor cores, which read tiles in shared memory by themselves.
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>
#include <tessera/wgmma.cuh>

constexpr int ROWS = 128;  // a block computes ROWS x COLS elements of C
constexpr int COLS = 256;
constexpr int DEPTH = 64;       // columns of A's tile and rows of B's tile
constexpr int GROUP_ROWS = 64;  // a warpgroup computes GROUP_ROWS x COLS elements of C
constexpr int THREADS = 128 * (ROWS / GROUP_ROWS);
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

// m is a multiple of ROWS, n of COLS, k of DEPTH. The pitches of A and B are multiples of 8, that
// of C is even, and the first element of each matrix lies at a multiple of 16 bytes.
__global__ void __launch_bounds__(THREADS)
    matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B, Matrix<float> C) {
  extern __shared__ __align__(1024) Tiles tiles[];  // of STAGES phases
  // YOUR CODE HERE
  //   1. start the copies of the first phases: a group for each
  //   2. the thread's sums, all zero: COLS / 2 of them
  //   3. in each phase: the tiles are there and visible to the tensor cores; start the
  //      products of four steps of 16 columns of A; start the copies of a later phase over
  //      tiles whose products have ended in all warps
  //   4. wait for the last products, and store the sums
}

// Given: a block for each tile of C, with shared memory for the tiles of STAGES phases.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), STAGES * sizeof(Tiles)};
}
