// The right output: each element computed separately, simply and slowly, in double.
#include <tessera/lab.cuh>

/// The element (row, column) of B.
__device__ double reference(Matrix<const float> A, int m, int n, int row, int column) {
  return A(column, row);
}

/// The largest error of a right element: nothing is computed, so nothing is rounded.
__device__ double bound(Matrix<const float> A, int m, int n, int row, int column) {
  return 0;
}
