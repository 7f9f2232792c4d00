// expect: technique/1=fail, technique/2=fail -- right, but nothing is kept in shared memory
#include <tessera/lab.cuh>

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  const int row = blockIdx.y * block + threadIdx.y;
  const int col = blockIdx.x * block + threadIdx.x;
  if (row >= C.height || col >= C.width) return;

  float sum = 0.0f;
  for (int p = 0; p < A.width; ++p) {
    sum += A(row, p) * B(p, col);
  }
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k, int block) {
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block, block), 0};
}
