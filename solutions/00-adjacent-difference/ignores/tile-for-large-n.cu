// expect: technique/1=fail, technique/2=fail -- right, but up to n = 1,000 without a tile
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;
constexpr int SMALL = 1000;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int tile[BLOCK];
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  if (n <= SMALL) {
    if (i < n) result[i] = input[i] - (i > 0 ? input[i - 1] : 0);
    return;
  }
  if (i < n) tile[t] = input[i];
  __syncthreads();
  if (i < n) result[i] = tile[t] - (t > 0 ? tile[t - 1] : i > 0 ? input[i - 1] : 0);
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK)};
}
