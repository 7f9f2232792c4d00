// expect: wrong-result, diagnosis=first-elements-repeated -- every warp reads by its lane
#include <tessera/lab.cuh>

constexpr int PIECE = 256;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float warps[PIECE / 32];
  const int lane = threadIdx.x % 32;
  float sum = input[blockIdx.x * PIECE + lane];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (lane == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < PIECE / 32; ++warp) sum += warps[warp];
    partial[blockIdx.x] = sum;
  }
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
