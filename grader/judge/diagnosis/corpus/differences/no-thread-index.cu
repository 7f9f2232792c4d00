// expect: output-not-written, diagnosis=thread-index-ignored -- all threads of a block compute its
// first element
#include <tessera/lab.cuh>

constexpr int BLOCK = 128;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  const int i = blockIdx.x * BLOCK;
  if (i < n) result[i] = input[i] - (i > 0 ? input[i - 1] : 0);
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
