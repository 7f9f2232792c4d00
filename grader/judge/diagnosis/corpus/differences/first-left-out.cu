// expect: output-not-written, diagnosis=guard-too-strict -- no thread writes the first element
#include <tessera/lab.cuh>

constexpr int BLOCK = 128;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int tile[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  if (i < n) tile[t] = input[i];
  __syncthreads();
  if (i > 0 && i < n) {
    int left = 0;
    if (i > 0) left = t > 0 ? tile[t - 1] : input[i - 1];
    result[i] = tile[t] - left;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
