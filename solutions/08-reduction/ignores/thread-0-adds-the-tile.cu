// expect: technique/5=fail -- right, with one barrier: one thread reads all of the tile
#include <tessera/lab.cuh>

constexpr int PIECE = 256;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float tile[PIECE];
  tile[threadIdx.x] = input[blockIdx.x * PIECE + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  for (int i = 0; i < PIECE; ++i) sum += tile[i];
  partial[blockIdx.x] = sum;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
