// expect: technique/2=fail -- neighbours by shuffles; only the weights are in shared memory
#include <tessera/lab.cuh>
__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float ws[33];
  const int l = threadIdx.x % 32, w = threadIdx.x / 32, first = (blockIdx.x * 8 + w) * 128;
  if (threadIdx.x < 33) ws[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  float v[5], s[4] = {};
#pragma unroll
  for (int q = 0; q < 5; ++q) {
    const int at = first - 16 + 32 * q + l;
    v[q] = at >= 0 && at < n ? input[at] : 0.0f;
  }
#pragma unroll
  for (int j = 0; j < 33; ++j) {
    const float wj = ws[j];
    float sh[5];
#pragma unroll
    for (int q = 0; q < 5; ++q) sh[q] = __shfl_sync(~0u, v[q], (l + j) & 31);
#pragma unroll
    for (int q = 0; q < 4; ++q) s[q] += wj * (l + j < 32 ? sh[q] : sh[q + 1]);
  }
#pragma unroll
  for (int q = 0; q < 4; ++q)
    if (first + 32 * q + l < n) output[first + 32 * q + l] = s[q];
}
__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, 1024)), dim3(256), 0};
}
