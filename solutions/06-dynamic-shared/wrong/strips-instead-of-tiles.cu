// expect: bad-launch -- whole rows of A and columns of B: over 48 KB if k is large
#include <tessera/lab.cuh>

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  extern __shared__ float shared[];
  const int k = A.width;
  float* As = shared;
  float* Bs = shared + block * k;

  const int i = threadIdx.y;
  const int j = threadIdx.x;
  const int row = blockIdx.y * block + i;
  const int col = blockIdx.x * block + j;

  for (int p = j; p < k; p += block) {
    As[i * k + p] = row < A.height ? A(row, p) : 0.0f;
  }
  for (int p = i; p < k; p += block) {
    Bs[p * block + j] = col < B.width ? B(p, col) : 0.0f;
  }
  __syncthreads();

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) {
    sum += As[i * k + p] * Bs[p * block + j];
  }
  if (row < C.height && col < C.width) C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k, int block) {
  const unsigned int shared_bytes = 2 * block * k * sizeof(float);
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block, block), shared_bytes};
}
