// expect: technique/3=fail -- threads load all their neighbours' elements, each for the next thread
#include <tessera/lab.cuh>
constexpr int BLOCK = 128, RADIUS = 16, TAPS = 33;
constexpr int EACH = 16;  // neighbouring outputs of a thread

__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float4 mail[BLOCK];
  __shared__ float w[TAPS];
  const int t = threadIdx.x;
  if (t < TAPS) w[t] = weights[t];
  __syncthreads();
  const int first = (blockIdx.x * BLOCK + t) * EACH;
  const int theirs = (blockIdx.x * BLOCK + (t ^ 1)) * EACH;
  float v[EACH + 2 * RADIUS];
#pragma unroll
  for (int j = 0; j < EACH + 2 * RADIUS; j += 4) {
    const int at = theirs - RADIUS + j;
    float4 q = {0, 0, 0, 0};
    if (at >= 0 && at + 3 < n) {
      q = *reinterpret_cast<const float4*>(input + at);
    } else if (at >= 0) {
      if (at < n) q.x = input[at];
      if (at + 1 < n) q.y = input[at + 1];
      if (at + 2 < n) q.z = input[at + 2];
    }
    mail[t] = q;
    __syncwarp();
    q = mail[t ^ 1];
    __syncwarp();
    v[j] = q.x;
    v[j + 1] = q.y;
    v[j + 2] = q.z;
    v[j + 3] = q.w;
  }
  float sum[EACH] = {};
#pragma unroll
  for (int j = 0; j < TAPS; ++j) {
#pragma unroll
    for (int e = 0; e < EACH; ++e) sum[e] += w[j] * v[e + j];
  }
#pragma unroll
  for (int e = 0; e < EACH; e += 4) {
    if (first + e + 3 < n) {
      *reinterpret_cast<float4*>(output + first + e) = {sum[e], sum[e + 1], sum[e + 2], sum[e + 3]};
    } else {
      for (int i = e; i < e + 4; ++i)
        if (first + i < n) output[first + i] = sum[i];
    }
  }
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK * EACH)), dim3(BLOCK), 0};
}
