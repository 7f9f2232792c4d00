// expect: technique/1=fail -- threads load edges for each other; their pieces lie far apart
#include <tessera/lab.cuh>
constexpr int T = 128, E = 8;
__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int mail[T];
  const int t = threadIdx.x, G = gridDim.x;
  const int first = (t * G + blockIdx.x) * E, theirs = ((t ^ 1) * G + blockIdx.x) * E;
  mail[t] = theirs > 0 && theirs < n ? input[theirs - 1] : 0;
  __syncwarp();
  int left = mail[t ^ 1];
#pragma unroll
  for (int q = 0; q < E; q += 4) {
    const int i = first + q;
    if (i + 3 < n) {
      const int4 v = *reinterpret_cast<const int4*>(input + i);
      *reinterpret_cast<int4*>(result + i) = make_int4(v.x - left, v.y - v.x, v.z - v.y, v.w - v.z);
      left = v.w;
    } else {
      for (int e = i; e < i + 4 && e < n; ++e) {
        const int v = input[e];
        result[e] = v - left;
        left = v;
      }
    }
  }
}
__host__ __device__ Launch launch(int n) {
  const int b = ceil_div(n, T * E);
  return {dim3(b > 1 ? b : 2), dim3(T), 0};
}
