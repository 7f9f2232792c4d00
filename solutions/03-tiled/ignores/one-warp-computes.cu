// expect: technique/7=fail -- right, but one warp of eight computes all sums of its block
#include <tessera/lab.cuh>
constexpr int T = 16;
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float a[T][T], b[T][T], c[T][T];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float s[8] = {};
  for (int st = 0; st < A.width; st += T) {
    a[y][x] = A(row, st + x);
    b[y][x] = B(st + y, col);
    __syncthreads();
    if (y < 2)
      for (int p = 0; p < T; ++p)
#pragma unroll
        for (int q = 0; q < 8; ++q) s[q] += a[y + 2 * q][p] * b[p][x];
    __syncthreads();
  }
  if (y < 2)
#pragma unroll
    for (int q = 0; q < 8; ++q) c[y + 2 * q][x] = s[q];
  __syncthreads();
  C(row, col) = c[y][x];
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / T, m / T), dim3(T, T), 0};
}
