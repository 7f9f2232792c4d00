// expect: race -- a step reads what the step before has not stored yet
#include <tessera/lab.cuh>

constexpr int PIECE = 256;  // elements of a piece, and threads of a block
constexpr int WARPS = PIECE / 32;

// The sum of all lanes' values, in lane 0.
__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) {
    value += __shfl_down_sync(0xffffffff, value, step);
  }
  return value;
}

// partial[b] = input[b * PIECE] + ... + input[b * PIECE + PIECE - 1]. n = blocks * PIECE.
__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float sums[PIECE];

  sums[threadIdx.x] = input[blockIdx.x * PIECE + threadIdx.x];
  __syncthreads();
  for (int half = PIECE / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

// Given: a block for each piece.
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
