// expect: technique/6=fail -- right, but all threads copy the tiles, two compute
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int As[T][T], Bs[T][T], Cs[T][T];
  const int x = threadIdx.x, y = threadIdx.y, t = y * T + x;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  Cs[y][x] = 0;
  for (int s = 0; s < A.width; s += T) {
    As[y][x] = row < A.height && s + x < A.width ? A(row, s + x) : 0;
    Bs[y][x] = s + y < B.height && col < B.width ? B(s + y, col) : 0;
    __syncthreads();
    if (t < 2)
      for (int i = 0; i < T; ++i)
        for (int j = (i + t) % 2; j < T; j += 2) {
          int sum = Cs[i][j];
          for (int p = 0; p < T; ++p) sum += As[i][p] * Bs[p][j];
          Cs[i][j] = sum;
        }
    __syncthreads();
  }
  if (row < C.height && col < C.width) C(row, col) = Cs[y][x];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
