// expect: uninitialized-read -- adds the sums to partial, which was never set to zero
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
  if (threadIdx.x % 32 != 0) return;
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += input[blockIdx.x * PIECE + threadIdx.x + i];
  atomicAdd(&partial[blockIdx.x], sum);
}

// Given: a block for each piece.
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
