// expect: technique/1=fail, technique/2=fail -- right, but small products without tiles
#include <tessera/lab.cuh>

constexpr int TILE = 16;
constexpr int LARGE = 64;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int As[TILE][TILE];
  __shared__ int Bs[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
  const int k = A.width;
  const bool inside = row < C.height && col < C.width;
  int sum = 0;
  if (C.height >= LARGE && C.width >= LARGE && k >= LARGE) {
    for (int start = 0; start < k; start += TILE) {
      As[y][x] = row < A.height && start + x < k ? A(row, start + x) : 0;
      Bs[y][x] = start + y < k && col < B.width ? B(start + y, col) : 0;
      __syncthreads();
      for (int p = 0; p < TILE; ++p) sum += As[y][p] * Bs[p][x];
      __syncthreads();
    }
  } else if (inside) {
    for (int p = 0; p < k; ++p) sum += A(row, p) * B(p, col);
  }
  if (inside) C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE)};
}
