// expect: wrong-result, diagnosis=added-to-old-content -- no thread sets C to 0
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  int sum = 0;
  for (int p = 0; p < A.width; ++p) sum += A(row, p) * B(p, col);
  C(row, col) += sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
