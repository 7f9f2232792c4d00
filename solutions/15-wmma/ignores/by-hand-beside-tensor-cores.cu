// expect: technique/2=fail -- the products are added in float; the tensor cores multiply zeros
#include <cuda_bf16.h>
#include <mma.h>

#include <tessera/lab.cuh>

using namespace nvcuda;

constexpr int TILE = 32;

__global__ void matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B,
                       Matrix<float> C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int col = blockIdx.x * TILE + x;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> zeros;
  wmma::fill_fragment(a, __float2bfloat16(0.0f));
  wmma::fill_fragment(b, __float2bfloat16(0.0f));
  wmma::fill_fragment(zeros, 0.0f);
  float sum = 0;
  for (int start = 0; start < A.width; start += TILE) {
    As[y][x] = __bfloat162float(A(row, start + x));
    Bs[y][x] = __bfloat162float(B(start + y, col));
    __syncthreads();
    for (int p = 0; p < TILE; ++p) sum += As[y][p] * Bs[p][x];
    if (y < 8) wmma::mma_sync(zeros, a, b, zeros);
    __syncthreads();
  }
  C(row, col) = sum + zeros.x[0];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / TILE, m / TILE), dim3(TILE, TILE), 0};
}
