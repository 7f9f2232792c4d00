// The tile begins one element before the block's, so that the edge is no special case.
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int tile[BLOCK + 1];  // tile[0]: the left neighbour of the block's first element
  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  if (i < n) tile[t + 1] = input[i];
  if (t == 0) tile[0] = i > 0 ? input[i - 1] : 0;
  __syncthreads();
  if (i < n) result[i] = tile[t + 1] - tile[t];
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
