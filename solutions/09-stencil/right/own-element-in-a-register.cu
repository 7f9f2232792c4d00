// Each thread keeps its own element in a register; its neighbours read it from shared memory.
#include <tessera/lab.cuh>

constexpr int BLOCK = 256;
constexpr int RADIUS = 16;
constexpr int TAPS = 2 * RADIUS + 1;

__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS];
  __shared__ float w[TAPS];
  const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  const float own = i < n ? input[i] : 0.0f;
  tile[t + RADIUS] = own;
  if (t < RADIUS) {
    tile[t] = i >= RADIUS ? input[i - RADIUS] : 0.0f;
  } else if (t >= BLOCK - RADIUS) {
    tile[t + 2 * RADIUS] = i + RADIUS < n ? input[i + RADIUS] : 0.0f;
  }
  if (t < TAPS) w[t] = weights[t];
  __syncthreads();
  float sum = w[RADIUS] * own;
  for (int d = 1; d <= RADIUS; ++d) {
    sum += w[RADIUS - d] * tile[t + RADIUS - d];
    sum += w[RADIUS + d] * tile[t + RADIUS + d];
  }
  if (i < n) output[i] = sum;
}

__host__ __device__ Launch launch(int n) {
  return {dim3(ceil_div(n, BLOCK)), dim3(BLOCK), 0};
}
