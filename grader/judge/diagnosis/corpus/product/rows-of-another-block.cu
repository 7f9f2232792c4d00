// expect: output-not-written, diagnosis=fixed-block-size -- a 32 where the block has 16 rows
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  float sum = 0;
  for (int p = 0; p < A.width; ++p) sum += A(row, p) * B(p, col);
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
