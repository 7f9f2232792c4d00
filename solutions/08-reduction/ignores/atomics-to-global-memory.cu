// expect: technique/3=fail -- right, with one barrier: every thread adds to the sum of the piece
#include <tessera/lab.cuh>

constexpr int PIECE = 256;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  if (threadIdx.x == 0) partial[blockIdx.x] = 0.0f;
  __syncthreads();
  atomicAdd(&partial[blockIdx.x], input[blockIdx.x * PIECE + threadIdx.x]);
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
