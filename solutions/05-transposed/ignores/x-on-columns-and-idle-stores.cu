// expect: technique/7=fail -- right, but x runs along columns; idle stores raise the mean
#include <tessera/lab.cuh>

constexpr int TILE = 16;
__device__ int unused[1 << 16][8];

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];

  const int i = threadIdx.y;
  const int j = threadIdx.x;
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    As[i][j] = A[row * k + start + j];
    Bs[i][j] = B[(start + i) * n + col];
    __syncthreads();

    for (int p = 0; p < TILE; ++p) {
      sum += As[i][p] * Bs[p][j];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
  const int me = (blockIdx.x + gridDim.x * blockIdx.y) * TILE * TILE + i * TILE + j;
  *(volatile int*)&unused[me & 0xffff][0] = 0;
  *(volatile int*)&unused[me & 0xffff][1] = 0;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
