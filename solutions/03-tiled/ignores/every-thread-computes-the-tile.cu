// expect: technique/6=fail -- right, but each thread computes all sums of its block and keeps one
#include <tessera/lab.cuh>
constexpr int T = 16;
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float a[T][T], b[T][T];
  int y = threadIdx.y, x = threadIdx.x;
  float mine = 0;
  for (int st = 0; st < A.width; st += T) {
    a[y][x] = A(blockIdx.y * T + y, st + x);
    b[y][x] = B(st + y, blockIdx.x * T + x);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < T; ++j) {
        float s = 0;
        for (int p = 0; p < T; ++p) s += a[i][p] * b[p][j];
        if (i == y && j == x) mine += s;
      }
    __syncthreads();
  }
  C(blockIdx.y * T + y, blockIdx.x * T + x) = mine;
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / T, m / T), dim3(T, T)};
}
