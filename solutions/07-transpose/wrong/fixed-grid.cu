// expect: output-not-written -- always 64 x 64 blocks, whatever the matrix
#include <tessera/lab.cuh>

constexpr int TILE = 32;  // a block has TILE x TILE threads

// B(row, col) = A(col, row). A may have any extents; B has the same, exchanged.
__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[TILE][TILE + 1];

  const int row = blockIdx.y * TILE + threadIdx.y;  // in A
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (row < A.height && col < A.width) {
    tile[threadIdx.y][threadIdx.x] = A(row, col);
  }
  __syncthreads();

  const int row_of_b = blockIdx.x * TILE + threadIdx.y;
  const int col_of_b = blockIdx.y * TILE + threadIdx.x;
  if (row_of_b < B.height && col_of_b < B.width) {
    B(row_of_b, col_of_b) = tile[threadIdx.x][threadIdx.y];
  }
}

// Given: a block for each tile of A.
__host__ __device__ Launch launch(int m, int n) {
  return {dim3(64, 64), dim3(TILE, TILE), 0};
}
