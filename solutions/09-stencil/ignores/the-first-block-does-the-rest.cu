// expect: technique/8=fail, technique/10=fail -- the first block alone does the last eleventh
#include <tessera/lab.cuh>
constexpr int BLOCK = 256, RADIUS = 16, TAPS = 33;
__host__ __device__ inline int own(int tiles) {
  return tiles < 20 ? tiles : tiles - tiles / 11;
}
__global__ void stencil(const float* input, const float* weights, float* output, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS], w[TAPS];
  const int t = threadIdx.x, tiles = ceil_div(n, BLOCK), mine = own(tiles);
  if (t < TAPS) w[t] = weights[t];
  for (int at = blockIdx.x; at < tiles;
       at = at < mine ? (blockIdx.x == 0 ? mine : tiles) : at + 1) {
    const int first = at * BLOCK;
    for (int e = t; e < BLOCK + 2 * RADIUS; e += BLOCK) {
      const int i = first + e - RADIUS;
      tile[e] = i >= 0 && i < n ? input[i] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < TAPS; ++j) sum += w[j] * tile[t + j];
    if (first + t < n) output[first + t] = sum;
    __syncthreads();
  }
}
__host__ __device__ Launch launch(int n) {
  return {dim3(own(ceil_div(n, BLOCK))), dim3(BLOCK), 0};
}
