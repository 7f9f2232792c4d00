// Lab 15: C = A B in the tensor cores. A and B hold numbers of 16 bits, C floats.
#include <cuda_bf16.h>
#include <mma.h>

#include <tessera/lab.cuh>

using namespace nvcuda;

constexpr int ROWS = 128;  // a block computes ROWS x COLS elements of C
constexpr int COLS = 64;
constexpr int DEPTH = 64;      // columns of A's tile and rows of B's tile
constexpr int WARP_ROWS = 64;  // a warp computes WARP_ROWS x WARP_COLS elements of C
constexpr int WARP_COLS = 32;
constexpr int WARPS_ACROSS = COLS / WARP_COLS;
constexpr int THREADS = 32 * WARPS_ACROSS * (ROWS / WARP_ROWS);
constexpr int SIDE = 16;  // rows and columns of a fragment

using FragmentOfA =
    wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, __nv_bfloat16, wmma::row_major>;
using FragmentOfB =
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, __nv_bfloat16, wmma::row_major>;
using FragmentOfC = wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float>;

/// The eight neighbouring elements that begin with `first`, as one access of 16 bytes. The address
/// of `first` must be a multiple of 16.
__device__ uint4& eight(__nv_bfloat16& first) {
  return reinterpret_cast<uint4&>(first);
}
__device__ const uint4& eight(const __nv_bfloat16& first) {
  return reinterpret_cast<const uint4&>(first);
}

// m is a multiple of ROWS, n of COLS, k of DEPTH. The pitches of A and B are multiples of 8, that
// of C is one of 4, and the first element of each matrix lies at a multiple of 32 bytes.
__global__ void matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B,
                       Matrix<float> C) {
  // YOUR CODE HERE
  //   1. shared memory for the two tiles, at multiples of 32 bytes (alignas(32)), with rows
  //      that begin in different banks
  //   2. the warp's fragments of C, all zero (wmma::fill_fragment)
  //   3. in each phase: the threads copy the tiles, eight elements at a time; a barrier; for
  //      each SIDE columns of A's tile the warp loads its fragments of A and B
  //      (load_matrix_sync) and multiplies each with each (mma_sync); a barrier
  //   4. store the fragments of C (store_matrix_sync)
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), 0};
}
