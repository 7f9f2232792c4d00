// expect: wrong-result, diagnosis=operand-transposed -- a copy of all of B is stored by columns and
// read by rows
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  __shared__ float Bs[48 * 48];  // no B of this lab is larger
  for (int i = threadIdx.y * T + threadIdx.x; i < B.height * B.width; i += T * T) {
    const int p = i / B.width;
    const int j = i % B.width;
    Bs[j * B.height + p] = B(p, j);
  }
  __syncthreads();
  if (row >= C.height || col >= C.width) return;
  float sum = 0;
  for (int p = 0; p < A.width; ++p) sum += A(row, p) * Bs[p * B.width + col];
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
