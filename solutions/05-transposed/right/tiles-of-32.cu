// Tiles of 32 x 32, four results a thread. Extents are multiples of 16 only, so tiles stick out.
#include <tessera/lab.cuh>
constexpr int T = 32;
__global__ void matmul(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float At[T][T], Bt[T][T];
  int i = threadIdx.x, row = blockIdx.x * T + i, c0 = blockIdx.y * T;
  float s[4] = {};
  for (int st = 0; st < k; st += T) {
    for (int j = threadIdx.y; j < T; j += 8) {
      At[j][i] = row < m && st + j < k ? A[row * k + st + j] : 0;
      Bt[j][i] = st + i < k && c0 + j < n ? B[(st + i) * n + c0 + j] : 0;
    }
    __syncthreads();
    for (int p = 0; p < T; ++p) {
      float a = At[p][i];
      for (int q = 0; q < 4; ++q) s[q] += a * Bt[threadIdx.y + 8 * q][p];
    }
    __syncthreads();
  }
  for (int q = 0; q < 4; ++q) {
    int c = c0 + threadIdx.y + 8 * q;
    if (row < m && c < n) C[row * n + c] = s[q];
  }
}
__host__ __device__ Launch launch(int m, int n, int k) {
  return {dim3(ceil_div(m, T), ceil_div(n, T)), dim3(T, 8)};
}
