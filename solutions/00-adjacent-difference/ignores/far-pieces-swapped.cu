// expect: technique/6=fail -- pieces of 64 elements lie far apart; neighbours swap their loads
#include <tessera/lab.cuh>
constexpr int T = 32, E = 64;
__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int4 mail[T];
  __shared__ int edge[T];
  const int t = threadIdx.x, G = gridDim.x;
  const int first = (t * G + blockIdx.x) * E, theirs = ((t ^ 1) * G + blockIdx.x) * E;
  edge[t] = theirs > 0 && theirs < n ? input[theirs - 1] : 0;
  __syncwarp();
  int left = edge[t ^ 1];
  for (int q = 0; q < E; q += 4) {
    const int j = theirs + q, i = first + q;
    int4 v = {0, 0, 0, 0};
    if (j + 3 < n) {
      v = *reinterpret_cast<const int4*>(input + j);
    } else {
      if (j < n) v.x = input[j];
      if (j + 1 < n) v.y = input[j + 1];
      if (j + 2 < n) v.z = input[j + 2];
    }
    mail[t] = v;
    __syncwarp();
    v = mail[t ^ 1];
    __syncwarp();
    const int4 d = {v.x - left, v.y - v.x, v.z - v.y, v.w - v.z};
    left = v.w;
    if (i + 3 < n) {
      *reinterpret_cast<int4*>(result + i) = d;
    } else {
      if (i < n) result[i] = d.x;
      if (i + 1 < n) result[i + 1] = d.y;
      if (i + 2 < n) result[i + 2] = d.z;
    }
  }
}
__host__ __device__ Launch launch(int n) {
  const int b = ceil_div(n, T * E);
  return {dim3(b > 1 ? b : 2), dim3(T), 0};
}
