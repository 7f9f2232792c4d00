// expect: out-of-bounds -- a vector of four is moved where the array has only three elements left
#include <tessera/lab.cuh>
constexpr int BLOCK = 256;
__global__ void adjacent_difference(const int* input, int* result, int n) {
  __shared__ int last[BLOCK];
  int t = threadIdx.x;
  int base = (blockIdx.x * BLOCK + t) * 4;
  int v[4] = {0, 0, 0, 0};
  if (base + 3 <= n) {
    int4 q = *reinterpret_cast<const int4*>(input + base);
    v[0] = q.x;
    v[1] = q.y;
    v[2] = q.z;
    v[3] = q.w;
  } else
    for (int j = 0; j < 4; ++j)
      if (base + j < n) v[j] = input[base + j];
  last[t] = v[3];
  __syncthreads();
  int left = t ? last[t - 1] : (base && base - 1 < n ? input[base - 1] : 0);
  int r[4] = {v[0] - left, v[1] - v[0], v[2] - v[1], v[3] - v[2]};
  if (base + 3 <= n)
    *reinterpret_cast<int4*>(result + base) = make_int4(r[0], r[1], r[2], r[3]);
  else
    for (int j = 0; j < 4; ++j)
      if (base + j < n) result[base + j] = r[j];
}
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK * 4)), dim3(BLOCK), 0};
}
