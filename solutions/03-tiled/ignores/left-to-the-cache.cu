// expect: technique/1=fail, technique/2=fail -- right, but nothing is kept in shared memory
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;

  float sum = 0.0f;
  for (int p = 0; p < A.width; ++p) {
    sum += A(row, p) * B(p, col);
  }
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
