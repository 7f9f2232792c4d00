// expect: technique/9=fail, technique/10=fail -- pieces lie apart; threads load for each other
#include <tessera/lab.cuh>
constexpr int E = 8, R = 16, TAPS = 33, W = E + 2 * R;
__host__ __device__ inline int pieces(int n) {
  return (n + E - 1) / E;
}
__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float4 mail[256];
  const int t = threadIdx.x, G = gridDim.x;
  const float own_weight = weights[t % 32], last_weight = weights[32];
  const int first = (t * G + blockIdx.x) * E, theirs = ((t ^ 1) * G + blockIdx.x) * E;
  float v[W];
#pragma unroll
  for (int q = 0; q < W; q += 4) {
    const int at = theirs - R + q;
    float4 x = {0, 0, 0, 0};
    if (theirs < n && at >= 0) {
      if (at + 3 < n)
        x = *reinterpret_cast<const float4*>(input + at);
      else {
        if (at < n) x.x = input[at];
        if (at + 1 < n) x.y = input[at + 1];
        if (at + 2 < n) x.z = input[at + 2];
      }
    }
    mail[t] = x;
    __syncwarp();
    x = mail[t ^ 1];
    __syncwarp();
    v[q] = x.x, v[q + 1] = x.y, v[q + 2] = x.z, v[q + 3] = x.w;
  }
  float sum[E] = {};
#pragma unroll
  for (int j = 0; j < TAPS; ++j) {
    const float w = j < 32 ? __shfl_sync(~0u, own_weight, j) : last_weight;
#pragma unroll
    for (int e = 0; e < E; ++e) sum[e] += w * v[e + j];
  }
#pragma unroll
  for (int e = 0; e < E; e += 4) {
    const int i = first + e;
    if (i + 3 < n)
      *reinterpret_cast<float4*>(output + i) =
          make_float4(sum[e], sum[e + 1], sum[e + 2], sum[e + 3]);
    else
      for (int q = 0; q < 4; ++q)
        if (i + q < n) output[i + q] = sum[e + q];
  }
}
__host__ __device__ Launch launch(int n) {
  const int p = ceil_div(n, E), T = p >= 256 * 5 ? 256 : 32;
  const int b = ceil_div(p, T);
  return {dim3(b > 4 ? b : 5), dim3(T), 0};
}
