// expect: wrong-result, diagnosis=load-guard-wrong -- the thread's column is compared with A's
// width, and not that of the element that it loads
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  __shared__ int As[T][T];
  __shared__ int Bs[T][T];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = blockIdx.y * T + y;
  const int col = blockIdx.x * T + x;
  int sum = 0;
  for (int start = 0; start < A.width; start += T) {
    As[y][x] = row < A.height && col < A.width ? A(row, start + x) : 0;
    Bs[y][x] = start + y < B.height && col < B.width ? B(start + y, col) : 0;
    __syncthreads();
    for (int p = 0; p < T; ++p) sum += As[y][p] * Bs[p][x];
    __syncthreads();
  }
  if (row < C.height && col < C.width) C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
