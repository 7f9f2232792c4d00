// expect: race -- blocks walk over the vector, and do not wait before they load a next tile
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int tile[BLOCK];
  const int t = threadIdx.x;
  for (int start = blockIdx.x * BLOCK; start < n; start += gridDim.x * BLOCK) {
    const int i = start + t;
    if (i < n) tile[t] = input[i];
    __syncthreads();
    if (i < n) {
      const int left = t > 0 ? tile[t - 1] : i > 0 ? input[i - 1] : 0;
      result[i] = tile[t] - left;
    }
  }
}

__host__ __device__ Launch launch(int n) {
  const int blocks = ceil_div(n, BLOCK);
  return {dim3(blocks < 1056 ? blocks : 1056), dim3(BLOCK), 0};
}
