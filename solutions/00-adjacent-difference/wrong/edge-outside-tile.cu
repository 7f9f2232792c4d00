// expect: out-of-bounds, diagnosis=block-starts-wrong -- the first thread of each block reads
// tile[-1]
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int tile[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;

  if (i < n) tile[t] = input[i];
  __syncthreads();

  if (i < n) {
    result[i] = i > 0 ? tile[t] - tile[t - 1] : tile[t];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
