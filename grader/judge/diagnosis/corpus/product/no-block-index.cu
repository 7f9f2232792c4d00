// expect: output-not-written, diagnosis=block-index-ignored -- every block computes the first tile
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = threadIdx.y;
  const int col = threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  float sum = 0;
  for (int p = 0; p < A.width; ++p) sum += A(row, p) * B(p, col);
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
