// expect: technique/7=fail -- right, but all threads copy the tiles, two compute
#include <tessera/lab.cuh>

__global__ void matmul(Matrix<const float> A, Matrix<const float> B, Matrix<float> C, int block) {
  extern __shared__ float mem[];
  float* As = mem;
  float* Bs = mem + block * block;
  float sums[512];  // half of a tile of 32 x 32
  const int x = threadIdx.x, y = threadIdx.y, t = y * block + x;
  const int row = blockIdx.y * block + y, col = blockIdx.x * block + x;
  for (int e = 0; e < 512; ++e) sums[e] = 0;
  for (int s = 0; s < A.width; s += block) {
    As[t] = row < A.height && s + x < A.width ? A(row, s + x) : 0;
    Bs[t] = s + y < B.height && col < B.width ? B(s + y, col) : 0;
    __syncthreads();
    if (t < 2)
      for (int i = 0, e = 0; i < block; ++i)
        for (int j = (i + t) % 2; j < block; j += 2, ++e)
          for (int p = 0; p < block && s + p < A.width; ++p)
            sums[e] += As[i * block + p] * Bs[p * block + j];
    __syncthreads();
  }
  if (t < 2)
    for (int i = 0, e = 0; i < block; ++i)
      for (int j = (i + t) % 2; j < block; j += 2, ++e) As[i * block + j] = sums[e];
  __syncthreads();
  if (row < C.height && col < C.width) C(row, col) = As[t];
}

__host__ __device__ Launch launch(int m, int n, int k, int block) {
  return {dim3(ceil_div(n, block), ceil_div(m, block)), dim3(block, block), 2u * block * block * 4};
}
