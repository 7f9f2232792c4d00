// expect: technique/4=fail -- each left edge is loaded twice; neighbours load for each other
#include <tessera/lab.cuh>
constexpr int BLOCK = 256;
constexpr int EACH = 16;  // neighbouring elements that a thread computes

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int4 mail[BLOCK];
  __shared__ int edges[BLOCK];
  const int t = threadIdx.x;
  const int first = (blockIdx.x * BLOCK + t) * EACH;
  const int theirs = (blockIdx.x * BLOCK + (t ^ 1)) * EACH;
  edges[t] = theirs > 0 && theirs <= n ? input[theirs - 1] : 0;
  __syncwarp();
  int left = edges[t ^ 1];
  for (int j = 0; j < EACH; j += 4) {
    int4 v = {0, 0, 0, 0};
    if (theirs + j + 3 < n) {
      v = *reinterpret_cast<const int4*>(input + theirs + j);
    } else {
      if (theirs + j < n) v.x = input[theirs + j];
      if (theirs + j + 1 < n) v.y = input[theirs + j + 1];
      if (theirs + j + 2 < n) v.z = input[theirs + j + 2];
    }
    mail[t] = v;
    __syncwarp();
    v = mail[t ^ 1];
    __syncwarp();
    const int4 difference = {v.x - left, v.y - v.x, v.z - v.y, v.w - v.z};
    left = v.w;
    const int i = first + j;
    if (i + 3 < n) {
      *reinterpret_cast<int4*>(result + i) = difference;
    } else {
      if (i < n) result[i] = difference.x;
      if (i + 1 < n) result[i + 1] = difference.y;
      if (i + 2 < n) result[i + 2] = difference.z;
    }
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK * EACH)), dim3(BLOCK), 0};
}
