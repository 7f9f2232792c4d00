// expect: technique/2=fail -- right, with few loads: a thread keeps what it needs in registers
#include <tessera/lab.cuh>

constexpr int BLOCK = 8;
constexpr int EACH = 4;  // rows and columns of a thread
constexpr int SIDE = BLOCK * EACH;

__global__ void matmul(Matrix<const int> A, Matrix<const int> B, Matrix<int> C) {
  const int row = blockIdx.y * SIDE + threadIdx.y;
  const int col = blockIdx.x * SIDE + threadIdx.x;
  int sum[EACH][EACH] = {};
  for (int p = 0; p < A.width; ++p) {
    int a[EACH];
    int b[EACH];
    for (int e = 0; e < EACH; ++e) {
      a[e] = row + e * BLOCK < C.height ? A(row + e * BLOCK, p) : 0;
      b[e] = col + e * BLOCK < C.width ? B(p, col + e * BLOCK) : 0;
    }
    for (int i = 0; i < EACH; ++i) {
      for (int j = 0; j < EACH; ++j) sum[i][j] += a[i] * b[j];
    }
  }
  for (int i = 0; i < EACH; ++i) {
    for (int j = 0; j < EACH; ++j) {
      if (row + i * BLOCK < C.height && col + j * BLOCK < C.width)
        C(row + i * BLOCK, col + j * BLOCK) = sum[i][j];
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(n, SIDE), ceil_div(m, SIDE)), dim3(BLOCK, BLOCK), 0};
}
