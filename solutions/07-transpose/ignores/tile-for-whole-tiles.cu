// expect: technique/3=fail, technique/5=fail -- the tile is used for multiples of 32 only
#include <tessera/lab.cuh>

constexpr int TILE = 32;

__global__ void transpose(Matrix<const float> A, Matrix<float> B) {
  __shared__ float tile[TILE][TILE + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
  if (A.height % TILE == 0 && A.width % TILE == 0) {
    tile[y][x] = A(row + y, col + x);
    __syncthreads();
    B(col + y, row + x) = tile[x][y];
  } else if (row + y < A.height && col + x < A.width) {
    B(col + x, row + y) = A(row + y, col + x);
  }
}

__host__ __device__ Launch launch(int m, int n) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
