// Rows of the tiles are one float longer, and launch asks for the bytes.
#include <tessera/lab.cuh>

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  extern __shared__ float shared[];
  const int pitch = block + 1;
  float* As = shared;
  float* Bs = shared + block * pitch;
  const int i = threadIdx.y;
  const int j = threadIdx.x;
  const int row = blockIdx.y * block + i;
  const int col = blockIdx.x * block + j;
  float sum = 0.0f;
  for (int start = 0; start < A.width; start += block) {
    As[i * pitch + j] = row < A.height && start + j < A.width ? A(row, start + j) : 0.0f;
    Bs[i * pitch + j] = start + i < B.height && col < B.width ? B(start + i, col) : 0.0f;
    __syncthreads();
    for (int p = 0; p < block; ++p) sum += As[i * pitch + p] * Bs[p * pitch + j];
    __syncthreads();
  }
  if (row < C.height && col < C.width) C(row, col) = sum;
}

__host__ __device__ Launch launch(int m, int n, int k, int block) {
  const unsigned int bytes = 2 * block * (block + 1) * sizeof(float);
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block, block), bytes};
}
