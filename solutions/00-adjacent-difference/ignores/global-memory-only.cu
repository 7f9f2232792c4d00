// expect: technique/1=fail, technique/2=fail -- right, but both elements come from global memory
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  const int left = i > 0 ? input[i - 1] : 0;
  result[i] = input[i] - left;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
