// What the output must be: each element computed by itself, slowly and obviously, in double.
#include <tessera/lab.cuh>

/// The element (row, column) of B.
__device__ double reference(Matrix<const float> A, int m, int n, int row, int column) {
  return A(column, row);
}

/// How far a right result may be from it: nothing is computed, so nothing is rounded.
__device__ double bound(Matrix<const float> A, int m, int n, int row, int column) {
  return 0;
}
