// expect: wrong-result -- a tile of floats keeps 24 of 32 bits
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ float tile[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;

  if (i < n) tile[t] = static_cast<float>(input[i]);
  __syncthreads();

  if (i < n) {
    float left = 0.0f;
    if (t > 0) {
      left = tile[t - 1];
    } else if (i > 0) {
      left = static_cast<float>(input[i - 1]);
    }
    result[i] = static_cast<int>(tile[t] - left);
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
