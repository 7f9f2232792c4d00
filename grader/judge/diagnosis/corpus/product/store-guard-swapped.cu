// expect: out-of-bounds, diagnosis=guard-extents-swapped -- only the store has a guard, and its
// extents are exchanged
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  float sum = 0;
  for (int p = 0; p < A.width; ++p)
    sum += (row < A.height && col < B.width ? A(row, p) * B(p, col) : 0);
  if (row < C.width && col < C.height) C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
