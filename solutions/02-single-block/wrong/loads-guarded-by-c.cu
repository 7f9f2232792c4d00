// expect: out-of-bounds, uninitialized-read -- the copies are guarded by the shape of C
#include <tessera/lab.cuh>

constexpr int MOST = 1024;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[MOST];
  __shared__ float Bs[MOST];

  const int row = threadIdx.y;
  const int col = threadIdx.x;

  if (row < m && col < n) As[row * k + col] = A[row * k + col];
  if (row < m && col < n) Bs[row * n + col] = B[row * n + col];
  __syncthreads();

  if (row < m && col < n) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) {
      sum += As[row * k + p] * Bs[p * n + col];
    }
    C[row * n + col] = sum;
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  const int columns = n > k ? n : k;
  const int rows = m > k ? m : k;
  return {dim3(1), dim3(columns, rows), 0};
}
