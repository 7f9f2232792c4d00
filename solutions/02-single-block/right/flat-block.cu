// A block in one dimension: all threads copy, all threads compute, in steps of the block.
#include <tessera/lab.cuh>

constexpr int MOST = 1024;
constexpr int BLOCK = 256;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[MOST];
  __shared__ float Bs[MOST];
  for (int t = threadIdx.x; t < m * k; t += BLOCK) As[t] = A[t];
  for (int t = threadIdx.x; t < k * n; t += BLOCK) Bs[t] = B[t];
  __syncthreads();
  for (int t = threadIdx.x; t < m * n; t += BLOCK) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += As[t / n * k + p] * Bs[p * n + t % n];
    C[t] = sum;
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(1), dim3(BLOCK), 0};
}
