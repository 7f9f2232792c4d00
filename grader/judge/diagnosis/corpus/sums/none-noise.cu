// expect: wrong-result, diagnosis=none -- a number from nowhere is added
#include <tessera/lab.cuh>

constexpr int PIECE = 256;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float values[PIECE];
  const int t = threadIdx.x;
  values[t] = input[blockIdx.x * PIECE + t];
  for (int half = PIECE / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) values[t] += values[t + half];
  }
  if (t == 0) partial[blockIdx.x] = values[0] + blockIdx.x % 3 + 1.5f;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
