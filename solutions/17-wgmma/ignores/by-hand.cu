// expect: technique/1=fail -- the threads multiply and add up by themselves
#include <cuda_bf16.h>

#include <tessera/lab.cuh>

__global__ void matmul(Matrix<const __nv_bfloat16> A, Matrix<const __nv_bfloat16> B,
                       Matrix<float> C) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int p = 0; p < A.width; ++p)
    sum += __bfloat162float(A(row, p)) * __bfloat162float(B(p, col));
  C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n / 16, m / 16), dim3(16, 16), 0};
}
