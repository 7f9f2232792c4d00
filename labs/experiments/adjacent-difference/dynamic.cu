// The same with an array whose size comes with the launch: one compiled kernel serves every size of
// block.
#include <tessera/lab.cuh>

__global__ void dynamic(const int* input, int* result, int n) {
  extern __shared__ int tile[];  // blockDim.x elements
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i < n) tile[t] = input[i];
  __syncthreads();
  if (i >= n) return;
  const int left = t > 0 ? tile[t - 1] : i > 0 ? input[i - 1] : 0;
  result[i] = tile[t] - left;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), BLOCK * sizeof(int)};
}
