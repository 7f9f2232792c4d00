// expect: technique/5=fail -- 8 x 8 elements a thread straight from global memory
#include <tessera/lab.cuh>

constexpr int TILE = 128, OWN = 8, SIDE = TILE / OWN;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sums[OWN][OWN] = {};
  for (int p = 0; p < A.width; ++p) {
    float a[OWN], b[OWN];
#pragma unroll
    for (int i = 0; i < OWN; ++i) {
      a[i] = A(row + i * SIDE, p);
      b[i] = B(p, col + i * SIDE);
    }
#pragma unroll
    for (int i = 0; i < OWN; ++i) {
#pragma unroll
      for (int j = 0; j < OWN; ++j) sums[i][j] += a[i] * b[j];
    }
  }
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
#pragma unroll
    for (int j = 0; j < OWN; ++j) C(row + i * SIDE, col + j * SIDE) = sums[i][j];
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(SIDE, SIDE), 0};
}
