// expect: wrong-result, diagnosis=sum-stops-early -- as many phases as n needs: in the case
// that fails, as many as k rounded down
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int row = blockIdx.y * T + y;
  const int col = blockIdx.x * T + x;
  float sum = 0;
  for (int start = 0; start < C.width; start += T) {
    As[y][x] = row < A.height && start + x < A.width ? A(row, start + x) : 0;
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
