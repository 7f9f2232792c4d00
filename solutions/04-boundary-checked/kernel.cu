// Lab 04: C = A B, tile by tile, for any extents.
// BEGIN SOLUTION
//
// As in lab 03 a block computes one TILE x TILE tile of C, a thread one element, in phases. At the
// edge a tile sticks out over the matrix: there a thread puts a zero into shared memory instead of
// loading. A zero adds nothing to a sum, so the inner loop needs no guard, and every thread
// reaches every barrier. Inside the matrix a warp copies 2 pieces of 64 bytes, as in lab 03.
// END SOLUTION
#include <tessera/lab.cuh>

constexpr int TILE = 16;  // a tile has TILE x TILE elements, a block as many threads

// A is m x k, B is k x n, C is m x n: A.height, A.width and so on. No extent need be a multiple of
// TILE, so the last tiles stick out over the edge.
__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  // BEGIN SOLUTION: YOUR CODE HERE
  //: //   Start from your kernel of lab 03. What has to change:
  //: //   1. the number of phases: the last one may be a part of a tile
  //: //   2. a thread whose element of A or B does not exist puts a zero into its tile
  //: //   3. a thread whose element of C does not exist stores nothing, but reaches every barrier
  __shared__ int As[TILE][TILE];
  __shared__ int Bs[TILE][TILE];

  const int row = blockIdx.y * TILE + threadIdx.y;  // in C, perhaps outside
  const int col = blockIdx.x * TILE + threadIdx.x;
  const int k = A.width;

  int sum = 0;
  for (int start = 0; start < k; start += TILE) {  // ceil(k / TILE) phases
    const int A_col = start + threadIdx.x;         // what this thread copies: A(row, A_col)
    const int B_row = start + threadIdx.y;         // and B(B_row, col)
    As[threadIdx.y][threadIdx.x] = row < A.height && A_col < k ? A(row, A_col) : 0;
    Bs[threadIdx.y][threadIdx.x] = B_row < k && col < B.width ? B(B_row, col) : 0;
    __syncthreads();  // both tiles are complete before any thread reads them

    for (int p = 0; p < TILE; ++p) {
      sum += As[threadIdx.y][p] * Bs[p][threadIdx.x];
    }
    __syncthreads();  // all threads have read them before any writes the next ones
  }

  if (row < C.height && col < C.width) C(row, col) = sum;
  // END SOLUTION
}

// Given: a block for each tile of C, and for each part of a tile at the edge.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
