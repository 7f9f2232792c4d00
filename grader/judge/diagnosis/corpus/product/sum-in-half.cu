// expect: wrong-result, diagnosis=low-precision-sum -- the sum is rounded to half after every
// product
#include <tessera/lab.cuh>

constexpr int T = 16;

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C) {
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  if (row >= C.height || col >= C.width) return;
  float sum = 0;
  for (int p = 0; p < A.width; ++p) {
    const unsigned bits = __float_as_uint(fmaf(A(row, p), B(p, col), sum));
    // To nearest, ties to even: 13 bits of a float's fraction are too many for half.
    sum = __uint_as_float((bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu);
  }
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, T), ceil_div(m, T)), dim3(T, T), 0};
}
