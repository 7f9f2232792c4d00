// A warp adds a whole piece, eight elements a lane: no shared memory, no barrier.
#include <tessera/lab.cuh>

constexpr int PIECE = 256;
constexpr int WARPS = 8;

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  return value;
}

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  const int piece = blockIdx.x * WARPS + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (piece >= blocks) return;
  float sum = 0.0f;
  for (int i = lane; i < PIECE; i += 32) sum += input[piece * PIECE + i];
  sum = warp_sum(sum);
  if (lane == 0) partial[piece] = sum;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(ceil_div(blocks, WARPS)), dim3(WARPS * 32), 0};
}
