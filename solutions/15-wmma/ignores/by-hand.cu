// expect: technique/1=fail -- the products are added in float, without the tensor cores
#include <cuda_bf16.h>

#include <tessera/lab.cuh>

constexpr int TILE = 32;

__global__ void matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B,
                       Matrix<float> C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int col = blockIdx.x * TILE + x;
  float sum = 0;
  for (int start = 0; start < A.width; start += TILE) {
    As[y][x] = __bfloat162float(A(row, start + x));
    Bs[y][x] = __bfloat162float(B(start + y, col));
    __syncthreads();
    for (int p = 0; p < TILE; ++p) sum += As[y][p] * Bs[p][x];
    __syncthreads();
  }
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(TILE, TILE), 0};
}
