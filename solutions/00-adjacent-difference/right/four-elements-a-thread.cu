// A thread loads four elements at once, keeps them and shares the last with its neighbour.
#include <tessera/lab.cuh>

constexpr int BLOCK = 128;
constexpr int EACH = 4;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int last[BLOCK];
  const int t = threadIdx.x;
  const int first = (blockIdx.x * BLOCK + t) * EACH;
  int own[EACH] = {};
  if (first + EACH <= n) {
    const int4 four = *reinterpret_cast<const int4*>(input + first);
    own[0] = four.x;
    own[1] = four.y;
    own[2] = four.z;
    own[3] = four.w;
  } else {
    for (int e = 0; e < EACH; ++e) {
      if (first + e < n) own[e] = input[first + e];
    }
  }
  last[t] = own[EACH - 1];
  __syncthreads();

  int left = 0;
  if (t > 0) {
    left = last[t - 1];
  } else if (first > 0 && first < n) {
    left = input[first - 1];
  }
  for (int e = 0; e < EACH; ++e) {
    if (first + e < n) result[first + e] = own[e] - (e > 0 ? own[e - 1] : left);
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK * EACH)), dim3(BLOCK), 0};
}
