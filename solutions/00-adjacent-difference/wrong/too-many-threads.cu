// expect: bad-launch -- one block of n threads, as if a block had no limit
#include <tessera/lab.cuh>

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int tile[4096];
  const int t = threadIdx.x;
  const int i = t;

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
  return {dim3(1), dim3(n), 0};
}
