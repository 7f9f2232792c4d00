// expect: technique/4=fail -- each left edge is loaded a second time, and passed on by a
// neighbour
#include <tessera/lab.cuh>
constexpr int BLOCK = 256;
__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int mail[BLOCK];
  const int t = threadIdx.x;
  const int first = (blockIdx.x * BLOCK + t) * 4;
  const int theirs = (blockIdx.x * BLOCK + (t ^ 1)) * 4;
  int v[4] = {0, 0, 0, 0};
  if (first + 3 < n) {
    const int4 q = *reinterpret_cast<const int4*>(input + first);
    v[0] = q.x;
    v[1] = q.y;
    v[2] = q.z;
    v[3] = q.w;
  } else {
    for (int j = 0; j < 4; ++j)
      if (first + j < n) v[j] = input[first + j];
  }
  mail[t] = theirs > 0 && theirs - 1 < n ? input[theirs - 1] : 0;
  __syncthreads();
  int left = mail[t ^ 1];
  for (int j = 0; j < 4; ++j) {
    if (first + j < n) result[first + j] = v[j] - left;
    left = v[j];
  }
}
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK * 4)), dim3(BLOCK), 0};
}
