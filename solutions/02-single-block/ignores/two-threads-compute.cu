// expect: technique/6=fail -- right, but all threads copy, two compute all of C
#include <tessera/lab.cuh>

constexpr int MOST = 1024;

__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float As[MOST], Bs[MOST], Cs[MOST];
  const int t = threadIdx.x;
  if (t < m * k) As[t] = A[t];
  if (t < k * n) Bs[t] = B[t];
  __syncthreads();
  if (t < 2) {  // a checkerboard: both threads read each element
    for (int i = 0; i < m; ++i)
      for (int j = (i + t) % 2; j < n; j += 2) {
        float sum = 0;
        for (int p = 0; p < k; ++p) sum += As[i * k + p] * Bs[p * n + j];
        Cs[i * n + j] = sum;
      }
  }
  __syncthreads();
  if (t < m * n) C[t] = Cs[t];
}

__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(1), dim3(1024), 0};
}
