// expect: unfinished-copy -- copies the next elements into the tile in use, and never waits
#include <cuda_pipeline.h>

#include <tessera/lab.cuh>

constexpr int TILE = 16;  // a tile has TILE x TILE elements, a block as many threads

// Every extent is a multiple of TILE. A.height, A.width and so on are the extents; A(row, col) is
// an element; A.view(row, col, rows, cols) is the part of A that starts there. Rows may be padded:
// the next row starts A.pitch elements on, not A.width.
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][TILE];  // the tile of A of this phase
  __shared__ float Bs[TILE][TILE];  // the tile of B of this phase

  const int row = threadIdx.y;  // place in a tile
  const int col = threadIdx.x;
  const int first_row = blockIdx.y * TILE;  // where this block's tile of C starts
  const int first_col = blockIdx.x * TILE;

  float sum = 0.0f;
  for (int start = 0; start < A.width; start += TILE) {
    const Matrix<const float> A_tile = A.view(first_row, start, TILE, TILE);
    const Matrix<const float> B_tile = B.view(start, first_col, TILE, TILE);
    As[row][col] = A_tile(row, col);
    Bs[row][col] = B_tile(row, col);
    if (row == 0 && col == 0 && start + TILE < A.width)
      __pipeline_memcpy_async(&Bs[row][col], &B_tile(TILE, col), 4);  // over what is in use
    __syncthreads();  // both tiles are complete before any thread reads them

    for (int p = 0; p < TILE; ++p) {
      sum += As[row][p] * Bs[p][col];
    }
    __syncthreads();  // all threads have read them before any writes the next ones
  }

  const Matrix<float> C_tile = C.view(first_row, first_col, TILE, TILE);
  C_tile(row, col) = sum;
}

// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
