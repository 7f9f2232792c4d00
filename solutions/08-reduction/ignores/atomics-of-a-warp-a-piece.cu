// expect: technique/8=fail -- a warp a piece, whose lanes add to one float in global memory: one
// request, 32 turns
#include <tessera/lab.cuh>

constexpr int PIECE = 256;
constexpr int PIECES = 32;  // of a block

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  const int first = blockIdx.x * PIECES;
  const int b = first + threadIdx.x / 32;
  if (threadIdx.x < PIECES && first + threadIdx.x < blocks) partial[first + threadIdx.x] = 0;
  __syncthreads();
  if (b >= blocks) return;
  float sum = 0;
  for (int j = threadIdx.x % 32; j < PIECE; j += 32) sum += input[b * PIECE + j];
  atomicAdd(&partial[b], sum);
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(ceil_div(blocks, PIECES)), dim3(32 * PIECES), 0};
}
