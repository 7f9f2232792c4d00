// expect: wrong-result -- a tile of shorts keeps 16 of 32 bits
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ short tile[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;

  if (i < n) tile[t] = input[i];
  __syncthreads();

  if (i < n) {
    int left = 0;
    if (t > 0) {
      left = tile[t - 1];
    } else if (i > 0) {
      left = input[i - 1];
    }
    result[i] = tile[t] - left;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
