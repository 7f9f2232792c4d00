// expect: technique/2=fail -- right, but without phases: strips while they fit, else no tile
#include <tessera/lab.cuh>
constexpr int T = 16, MOST = 384;
__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[T][MOST], Bs[MOST][T];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x,
            k = A.width;
  float sum = 0;
  if (k > MOST) {
    for (int p = 0; p < k; ++p) sum += A(row, p) * B(p, col);
  } else {
    for (int p = x; p < k; p += T) As[y][p] = A(row, p);
    for (int p = y; p < k; p += T) Bs[p][x] = B(p, col);
    __syncthreads();
    for (int p = 0; p < k; ++p) sum += As[y][p] * Bs[p][x];
  }
  C(row, col) = sum;
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / T, m / T), dim3(T, T)};
}
