// The kit's own headers.
#include <tessera/lab.cuh>

#include "tessera/limits.cuh"

constexpr int TILE = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int phase = 0; phase < A.width / TILE; ++phase) {
    As[threadIdx.y][threadIdx.x] = A(row, phase * TILE + threadIdx.x);
    Bs[threadIdx.y][threadIdx.x] = B(phase * TILE + threadIdx.y, column);
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C(row, column) = fminf(sum, FLT_MAX);
}

__global__ void limits(int32_t* i, uint64_t* u, float* f) {
  i[0] = INT_MAX;
  u[0] = UINT64_MAX;
  f[0] = INFINITY;
  f[1] = NAN;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
