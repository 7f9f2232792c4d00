// What every lab kernel may use: Matrix (a view of a matrix in global memory), Launch and ceil_div.
#pragma once

#if defined(__CUDACC_RTC__) && !defined(__clang__)
#include <tessera/nvrtc.cuh>
#endif

#if defined(__clang__) && defined(__CUDA__)
// Time spent in a one-line helper belongs to the line that calls it.
#define TESSERA_INLINE __attribute__((nodebug, always_inline)) inline
#else
#define TESSERA_INLINE inline
#endif

/// The least number of pieces of size `piece` that cover `total`.
template <class T>
__host__ __device__ TESSERA_INLINE constexpr T ceil_div(T total, T piece) {
  return (total + piece - 1) / piece;
}

/// A height x width matrix, row after row, `pitch` elements from one row's start to the next (pitch
/// >= width). It is a view: it owns nothing, and is passed by value.
template <class T>
struct Matrix {
  T* data;
  int height;
  int width;
  int pitch;

  /// The element in `row` and `column`, both counted from 0. The access is not checked here; the
  /// simulator checks it.
  __host__ __device__ TESSERA_INLINE T& operator()(int row, int column) const {
    return data[row * pitch + column];
  }

  /// The rows x columns matrix inside this one whose first element is (row, column).
  __host__ __device__ TESSERA_INLINE Matrix view(int row, int column, int rows, int columns) const {
    return {data + row * pitch + column, rows, columns, pitch};
  }
};

/// The arguments of <<< >>>: blocks in the grid, threads in a block, bytes of dynamic shared
/// memory.
struct Launch {
  dim3 grid;
  dim3 block;
  unsigned int shared_bytes;
};
