// Two arrays in the one piece of dynamic shared memory that a launch can ask for: the block's
// elements, and after them the one element to their left. With it no thread reads global memory
// after the barrier.
#include <tessera/lab.cuh>

__global__ void several(const int* input, int* result, int n) {
  extern __shared__ int shared[];
  int* tile = shared;               // blockDim.x elements
  int* edge = shared + blockDim.x;  // 1 element; begins where tile ends
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i < n) tile[t] = input[i];
  if (t == 0) edge[0] = i > 0 ? input[i - 1] : 0;
  __syncthreads();
  if (i >= n) return;
  const int left = t > 0 ? tile[t - 1] : edge[0];
  result[i] = tile[t] - left;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), (BLOCK + 1) * sizeof(int)};
}
