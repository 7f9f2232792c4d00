// expect: technique/2=fail -- right; other blocks load the left neighbour from global memory
#include <tessera/lab.cuh>
constexpr int BLOCK = 256, EACH = 8, PIECE = BLOCK * EACH;
__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int tile[BLOCK];
  const int t = threadIdx.x;
  if (blockIdx.x % 4 == 0) {
    for (int q = 0; q < EACH; ++q) {
      const int i = blockIdx.x * PIECE + q * BLOCK + t;
      const int mine = i < n ? input[i] : 0;
      tile[t] = mine;
      __syncthreads();
      if (i < n) result[i] = mine - (t > 0 ? tile[t - 1] : i > 0 ? input[i - 1] : 0);
      __syncthreads();
    }
    return;
  }
  const int base = blockIdx.x * PIECE + t * EACH;
  if (base >= n) return;
  int left = input[base - 1];
  for (int q = 0; q < EACH && base + q < n; ++q) {
    const int mine = input[base + q];
    result[base + q] = mine - left;
    left = mine;
  }
}
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, PIECE)), dim3(BLOCK), 0};
}
