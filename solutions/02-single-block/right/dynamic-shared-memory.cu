// The arrays are as large as the matrices: launch asks for the bytes.
#include <tessera/lab.cuh>

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  extern __shared__ float arrays[];
  float* As = arrays;
  float* Bs = arrays + m * k;
  const int threads = blockDim.x * blockDim.y;
  const int own = threadIdx.y * blockDim.x + threadIdx.x;
  for (int t = own; t < m * k; t += threads) As[t] = A[t];
  for (int t = own; t < k * n; t += threads) Bs[t] = B[t];
  __syncthreads();
  for (int row = threadIdx.y; row < m; row += blockDim.y) {
    for (int col = threadIdx.x; col < n; col += blockDim.x) {
      float sum = 0.0f;
      for (int p = 0; p < k; ++p) sum += As[row * k + p] * Bs[p * n + col];
      C[row * n + col] = sum;
    }
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  const unsigned int bytes = (m * k + k * n) * sizeof(float);
  return {dim3(1), dim3(32, 8), bytes};
}
