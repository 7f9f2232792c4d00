// The tile of B is transposed while it is copied, and its fragments are loaded by columns.
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
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, __nv_bfloat16, wmma::col_major>;
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
  constexpr int PAD = 8;
  __shared__ alignas(32) __nv_bfloat16 As[ROWS][DEPTH + PAD];
  __shared__ alignas(32) __nv_bfloat16 Bs[COLS][DEPTH + PAD];

  const int thread = threadIdx.x;
  const int warp = thread / 32;
  const int row = warp / WARPS_ACROSS * WARP_ROWS;  // of the warp's first element in the tile of C
  const int col = warp % WARPS_ACROSS * WARP_COLS;

  FragmentOfC sums[WARP_ROWS / SIDE][WARP_COLS / SIDE];
#pragma unroll
  for (int i = 0; i < WARP_ROWS / SIDE; ++i) {
#pragma unroll
    for (int j = 0; j < WARP_COLS / SIDE; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
  }

  for (int start = 0; start < A.width; start += DEPTH) {
    const auto A_tile = A.view(blockIdx.y * ROWS, start, ROWS, DEPTH);
    const auto B_tile = B.view(start, blockIdx.x * COLS, DEPTH, COLS);
#pragma unroll
    for (int i = 0; i < ROWS * DEPTH / 8 / THREADS; ++i) {
      const int at = 8 * (i * THREADS + thread);
      eight(As[at / DEPTH][at % DEPTH]) = eight(A_tile(at / DEPTH, at % DEPTH));
    }
#pragma unroll
    for (int i = 0; i < DEPTH * COLS / 8 / THREADS; ++i) {
      const int at = 8 * (i * THREADS + thread);
      const uint4 words = eight(B_tile(at / COLS, at % COLS));
      const unsigned pairs[] = {words.x, words.y, words.z, words.w};
#pragma unroll
      for (int e = 0; e < 8; ++e)
        Bs[at % COLS + e][at / COLS] =
            __ushort_as_bfloat16(static_cast<unsigned short>(pairs[e / 2] >> (16 * (e % 2))));
    }
    __syncthreads();  // both tiles are complete before any warp loads fragments

#pragma unroll
    for (int p = 0; p < DEPTH; p += SIDE) {
      FragmentOfA a[WARP_ROWS / SIDE];
      FragmentOfB b[WARP_COLS / SIDE];
#pragma unroll
      for (int i = 0; i < WARP_ROWS / SIDE; ++i)
        wmma::load_matrix_sync(a[i], &As[row + SIDE * i][p], DEPTH + PAD);
#pragma unroll
      for (int j = 0; j < WARP_COLS / SIDE; ++j)
        wmma::load_matrix_sync(b[j], &Bs[col + SIDE * j][p], DEPTH + PAD);
#pragma unroll
      for (int i = 0; i < WARP_ROWS / SIDE; ++i) {
#pragma unroll
        for (int j = 0; j < WARP_COLS / SIDE; ++j)
          wmma::mma_sync(sums[i][j], a[i], b[j], sums[i][j]);
      }
    }
    __syncthreads();  // all warps have loaded them before any thread stores the next ones
  }

  const auto C_tile =
      C.view(blockIdx.y * ROWS + row, blockIdx.x * COLS + col, WARP_ROWS, WARP_COLS);
#pragma unroll
  for (int i = 0; i < WARP_ROWS / SIDE; ++i) {
#pragma unroll
    for (int j = 0; j < WARP_COLS / SIDE; ++j)
      wmma::store_matrix_sync(&C_tile(SIDE * i, SIDE * j), sums[i][j], C.pitch,
                              wmma::mem_row_major);
  }
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / COLS, m / ROWS), dim3(THREADS), 0};
}
