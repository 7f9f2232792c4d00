// A thread loads eight elements as two int4, keeps them and shares the last with its neighbour.
#include <tessera/lab.cuh>

constexpr int THREADS = 256;

__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int last[THREADS];
  const int t = threadIdx.x;
  const int i = (blockIdx.x * THREADS + t) * 8;
  int v[8];
  if (i + 8 <= n) {
    const int4 a = reinterpret_cast<const int4*>(input + i)[0];
    const int4 b = reinterpret_cast<const int4*>(input + i)[1];
    v[0] = a.x;
    v[1] = a.y;
    v[2] = a.z;
    v[3] = a.w;
    v[4] = b.x;
    v[5] = b.y;
    v[6] = b.z;
    v[7] = b.w;
  } else {
    for (int q = 0; q < 8; ++q) v[q] = i + q < n ? input[i + q] : 0;
  }
  last[t] = v[7];
  __syncthreads();
  int left = t > 0 ? last[t - 1] : (i > 0 && i < n ? input[i - 1] : 0);
  for (int q = 0; q < 8; ++q) {
    if (i + q < n) result[i + q] = v[q] - left;
    left = v[q];
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, THREADS * 8)), dim3(THREADS), 0};
}
