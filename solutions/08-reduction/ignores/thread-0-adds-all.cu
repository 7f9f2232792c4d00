// expect: technique/1=fail -- right, without barrier or shared memory: one thread adds all
#include <tessera/lab.cuh>

constexpr int PIECE = 256;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  if (threadIdx.x != 0) return;
  float sum = 0.0f;
  for (int i = 0; i < PIECE; ++i) sum += input[blockIdx.x * PIECE + i];
  partial[blockIdx.x] = sum;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
