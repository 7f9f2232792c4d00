// expect: race, out-of-bounds, diagnosis=grid-swapped -- rows follow x, along which launch covers n
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int row = blockIdx.x * TILE + threadIdx.x;
  const int col = blockIdx.y * TILE + threadIdx.y;
  float sum = 0.0f;
  for (int start = 0; start < A.width; start += TILE) {
    As[threadIdx.y][threadIdx.x] = A(row, start + threadIdx.x);
    Bs[threadIdx.y][threadIdx.x] = B(start + threadIdx.y, col);
    __syncthreads();
    for (int p = 0; p < TILE; ++p) {
      sum += As[threadIdx.y][p] * Bs[p][threadIdx.x];
    }
    __syncthreads();
  }
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE), 0};
}
