// expect: technique/5=fail -- right, with two barriers: every thread adds to one sum
#include <tessera/lab.cuh>

constexpr int PIECE = 256;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0.0f;
  __syncthreads();
  atomicAdd(&sum, input[blockIdx.x * PIECE + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
