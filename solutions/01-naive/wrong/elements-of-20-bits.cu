// expect: wrong-result -- elements are rounded to 20 bits before they are multiplied
#include <tessera/lab.cuh>
__device__ float r16(float x) {
  return __uint_as_float((__float_as_uint(x) + 0x8u) & 0xfffffff0u);
}

constexpr int BLOCK = 16;  // a block has BLOCK x BLOCK threads

// A is m x k, B is k x n, C is m x n, any extents. Row after row without gaps: the element of A in
// row i and column p is A[i * k + p].
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  const int row = blockIdx.y * BLOCK + threadIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (row >= m || col >= n) return;  // the last blocks stick out over the edge of C

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += r16(A[row * k + p]) * r16(B[p * n + col]);
  }
  C[row * n + col] = sum;
}

// Given: blocks along x cover the n columns of C, blocks along y its m rows.
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, BLOCK), ceil_div(m, BLOCK)), dim3(BLOCK, BLOCK), 0};
}
