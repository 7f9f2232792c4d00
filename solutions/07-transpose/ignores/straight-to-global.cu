// expect: technique/3=fail, technique/5=fail -- each warp stores down a column of B
#include <tessera/lab.cuh>

constexpr int TILE = 32;  // a block has TILE x TILE threads

// B(row, col) = A(col, row). A may have any extents; B has the same, exchanged.
__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  const int row = blockIdx.y * TILE + threadIdx.y;  // in A
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (row < A.height && col < A.width) {
    B(col, row) = A(row, col);
  }
}

// Given: a block for each tile of A.
__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
