// expect: wrong-result, diagnosis=first-block-right -- blocks other than the first add their thread
// index
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  float sum = 0;
  for (int p = 0; p < A.width; ++p) sum += A(row, p) * B(p, col);
  const bool first = blockIdx.x + blockIdx.y == 0;
  C(row, col) = first ? sum : 3 * sum + threadIdx.x + 1.25f * threadIdx.y + 1;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
