// The tile is copied as float4 where four elements exist; a thread computes two outputs.
#include <tessera/lab.cuh>

constexpr int THREADS = 128, OUT = 256, RADIUS = 16, TAPS = 33;

__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float4 tile4[(OUT + 2 * RADIUS) / 4];
  __shared__ float w[TAPS];
  float* tile = reinterpret_cast<float*>(tile4);
  const int t = threadIdx.x;
  const int base = static_cast<int>(blockIdx.x) * OUT - RADIUS;
  if (t < (OUT + 2 * RADIUS) / 4) {
    const int place = base + 4 * t;
    if (place >= 0 && place + 4 <= n) {
      tile4[t] = *reinterpret_cast<const float4*>(input + place);
    } else {
      float4 v = make_float4(0, 0, 0, 0);
      if (place >= 0 && place < n) v.x = input[place];
      if (place + 1 >= 0 && place + 1 < n) v.y = input[place + 1];
      if (place + 2 >= 0 && place + 2 < n) v.z = input[place + 2];
      tile4[t] = v;
    }
  } else if (t >= 90 && t < 90 + TAPS) {
    w[t - 90] = weights[t - 90];
  }
  __syncthreads();
  float first = 0.0f, second = 0.0f;
#pragma unroll
  for (int j = 0; j < TAPS; ++j) {
    first += w[j] * tile[t + j];
    second += w[j] * tile[t + THREADS + j];
  }
  const int i = base + RADIUS + t;
  if (i < n) output[i] = first;
  if (i + THREADS < n) output[i + THREADS] = second;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, OUT)), dim3(THREADS), 0};
}
