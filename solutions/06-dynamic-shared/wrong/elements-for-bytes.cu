// expect: out-of-bounds -- launch counts floats, but shared memory is asked for in bytes
#include <tessera/lab.cuh>

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  extern __shared__ float shared[];
  float* As = shared;
  float* Bs = shared + block * block;

  const int i = threadIdx.y;
  const int j = threadIdx.x;
  const int row = blockIdx.y * block + i;
  const int col = blockIdx.x * block + j;
  const int k = A.width;

  float sum = 0.0f;
  for (int start = 0; start < k; start += block) {
    As[i * block + j] = row < A.height && start + j < k ? A(row, start + j) : 0.0f;
    Bs[i * block + j] = start + i < k && col < B.width ? B(start + i, col) : 0.0f;
    __syncthreads();

    for (int p = 0; p < block; ++p) {
      sum += As[i * block + p] * Bs[p * block + j];
    }
    __syncthreads();
  }

  if (row < C.height && col < C.width) C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k, int block) {
  const unsigned int shared_bytes = 2 * block * block;
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block, block), shared_bytes};
}
