// expect: technique/5=fail -- four blocks load all of A and B, four elements at once
#include <tessera/lab.cuh>

constexpr int MOST = 1024, BLOCKS = 4, THREADS = 256;

__device__ void copy(float* to, const float* from, int count) {
  for (int e = 4 * threadIdx.x; e < count; e += 4 * THREADS) {
    if (e + 3 < count) {
      *reinterpret_cast<float4*>(to + e) = *reinterpret_cast<const float4*>(from + e);
    } else {
      for (int i = e; i < count; ++i) to[i] = from[i];
    }
  }
}

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ __align__(16) float As[MOST];
  __shared__ __align__(16) float Bs[MOST];
  copy(As, A, m * k);
  copy(Bs, B, k * n);
  __syncthreads();
  for (int e = threadIdx.x; e < m * n; e += THREADS) {
    float sum = 0.0f;
    for (int p = 0; p < k; ++p) sum += As[e / n * k + p] * Bs[p * n + e % n];
    if (e / THREADS % BLOCKS == blockIdx.x) C[e] = sum;
  }
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(BLOCKS), dim3(THREADS), 0};
}
