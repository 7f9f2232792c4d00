// expect: wrong-result, diagnosis=elements-left-out -- seven of eight sums are left out
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
  __shared__ float sums[WARPS];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float sum = warp_sum(input[blockIdx.x * PIECE + threadIdx.x]);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    sum = warp_sum(lane < 1 ? sums[lane] : 0.0f);
    if (lane == 0) partial[blockIdx.x] = sum;
  }
}

// Given: a block for each piece.
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
