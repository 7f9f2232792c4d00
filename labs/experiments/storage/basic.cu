// C = A B without tiles, threadIdx.x on rows: the tiled kernels are compared with this one.
//
// A block computes BLOCK x BLOCK elements of C, a thread one. threadIdx.x walks down the rows, so
// the lanes of a warp read elements of A that lie a whole row apart.
#include <tessera/lab.cuh>

__global__ void basic(const float* A, const float* B, float* C, int n) {
  const int row = blockIdx.x * BLOCK + threadIdx.x;
  const int col = blockIdx.y * BLOCK + threadIdx.y;
  float sum = 0.0f;
  for (int p = 0; p < n; ++p) sum += A[row * n + p] * B[p * n + col];
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(m / BLOCK, n / BLOCK), dim3(BLOCK, BLOCK), 0};
}
