// expect: technique/1=fail, technique/2=fail -- right, without conflicts, as there is no tile
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.x * TILE + threadIdx.x;
  const int col = blockIdx.y * TILE + threadIdx.y;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
