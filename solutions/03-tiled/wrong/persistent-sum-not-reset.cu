// expect: wrong-result -- each of 1,056 blocks keeps its sum when it goes on to its next tile
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
  const int across = B.width / TILE, tiles = across * (A.height / TILE);

  float sum = 0.0f;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int first_row = tile / across * TILE, first_col = tile % across * TILE;
    for (int start = 0; start < A.width; start += TILE) {
      const Matrix<const float> A_tile = A.view(first_row, start, TILE, TILE);
      const Matrix<const float> B_tile = B.view(start, first_col, TILE, TILE);
      As[row][col] = A_tile(row, col);
      Bs[row][col] = B_tile(row, col);
      __syncthreads();  // both tiles are complete before any thread reads them

      for (int p = 0; p < TILE; ++p) {
        sum += As[row][p] * Bs[p][col];
      }
      __syncthreads();  // all threads have read them before any writes the next ones
    }

    const Matrix<float> C_tile = C.view(first_row, first_col, TILE, TILE);
    C_tile(row, col) = sum;
  }
}

__host__ __device__ inline int least(int a, int b) {
  return a < b ? a : b;
}
// Given: a block for each tile of C.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(least(1056, ceil_div(n, TILE) * ceil_div(m, TILE))), dim3(TILE, TILE), 0};
}
