// expect: technique/1=fail, technique/2=fail -- right, but every use is a load from global memory
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (row >= C.height || col >= C.width) return;

  int sum = 0;
  for (int p = 0; p < A.width; ++p) {
    sum += A(row, p) * B(p, col);
  }
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
