// Transposed tiles, two of each: one barrier a phase.
#include <tessera/lab.cuh>

constexpr int TILE = 16;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float At[2][TILE][TILE];
  __shared__ float Bt[2][TILE][TILE];
  const int i = threadIdx.x;
  const int j = threadIdx.y;
  const int row = blockIdx.x * TILE + i;
  const int col = blockIdx.y * TILE + j;
  float sum = 0.0f;
  for (int start = 0; start <= k; start += TILE) {
    const int now = start / TILE % 2;
    if (start < k) {
      At[now][j][i] = A[row * k + start + j];
      Bt[now][j][i] = B[(start + i) * n + col];
    }
    if (start > 0) {
      for (int p = 0; p < TILE; ++p) sum += At[1 - now][p][i] * Bt[1 - now][j][p];
    }
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, TILE), ceil_div(n, TILE)), dim3(TILE, TILE), 0};
}
