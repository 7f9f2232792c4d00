// expect: wrong-result, diagnosis=low-precision-operands -- operands cut to 10 bits of fraction, as
// TF32 has them
#include <tessera/lab.cuh>

constexpr int BLOCK = 16;

__device__ float cut(float x) {
  return __uint_as_float(__float_as_uint(x) & 0xffffe000u);
}

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += cut(A[row * k + p]) * cut(B[p * n + col]);
  }
  C[row * n + col] = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
