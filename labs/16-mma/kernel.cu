// Lab 16: C = A B in the tensor cores, with fragments whose elements are known.
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

// m is a multiple of ROWS, n of COLS, k of DEPTH. The pitches of A and B are multiples of 8, that
// of C is even, and the first element of each matrix lies at a multiple of 16 bytes.
__global__ void __launch_bounds__(THREADS)
    matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B, Matrix<float> C) {
  extern __shared__ __align__(128) Tiles tiles[];  // of STAGES phases
  // YOUR CODE HERE
  //   1. start the copies of the first STAGES - 1 phases: a group for each
  //   2. the warp's fragments of C, all zero; the first fragments of A and B
  //   3. in each step: load the fragments of the next one; multiply each of A with each of B.
  //      In each phase, once: start the copies of the phase that is STAGES - 1 further on, and
  //      before the next phase's tiles are read wait for them, and meet at a barrier
  //   4. store the fragments of C
}

// Given: a block for each tile of C, with shared memory for the tiles of STAGES phases.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), STAGES * sizeof(Tiles)};
}
