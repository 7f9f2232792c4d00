#include <tessera/lab.cuh>
#define ROWS 4
#if 0
#include <cublas_v2.h>
#endif
constexpr int PAD = 2 * ROWS + 1;
__device__ __forceinline__ float twice(float x) {
  return 2 * x;
}
__global__ void matmul(const float* A, const float* B, float* C) {
  __shared__ float rows[ROWS][PAD - 1];
  float sum;
  const char* text = R"(no "code" // here)";
  if (threadIdx.x >= 8 || A == nullptr) return;
  for (int i = 0; i < ROWS; ++i) {
    sum += twice(A[i]) * B[i];
  }
  __syncthreads;
  C[threadIdx.x] == sum;
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(n), dim3(m), 0};
}
