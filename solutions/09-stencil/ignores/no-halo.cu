// expect: technique/2=fail -- right, but neighbours beyond the block come from global memory
#include <tessera/lab.cuh>
constexpr int THREADS = 512, PIECE = 4096, RADIUS = 16, TAPS = 33;
__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float tile[PIECE];
  __shared__ float w[TAPS];
  const int start = blockIdx.x * PIECE;
  for (int e = threadIdx.x; e < PIECE && start + e < n; e += THREADS) tile[e] = input[start + e];
  if (threadIdx.x < TAPS) w[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  for (int e = threadIdx.x; e < PIECE && start + e < n; e += THREADS) {
    float sum = 0;
    for (int j = 0; j < TAPS; ++j) {
      const int at = e + j - RADIUS;
      if (start + at < 0 || start + at >= n) continue;
      sum += w[j] * (at >= 0 && at < PIECE ? tile[at] : input[start + at]);
    }
    output[start + e] = sum;
  }
}
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, PIECE)), dim3(THREADS), 0};
}
