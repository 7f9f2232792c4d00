// expect: technique/2=fail -- right, but threads share nothing
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;
constexpr int EACH = 16;  // neighbouring elements that a thread computes

__global__ void adjacent_difference(const int* input, int* result, int n) {
  const int first = (blockIdx.x * BLOCK + threadIdx.x) * EACH;
  int left = first > 0 && first < n ? input[first - 1] : 0;
  for (int i = first; i < first + EACH && i < n; ++i) {
    const int own = input[i];
    result[i] = own - left;
    left = own;
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK * EACH)), dim3(BLOCK), 0};
}
