// expect: technique/3=fail, technique/4=fail -- right, but a warp loads down a column of A
#include <tessera/lab.cuh>

constexpr int TILE = 32;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (row < B.height && col < B.width) B(row, col) = A(col, row);
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
