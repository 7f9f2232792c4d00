// expect: technique/2=fail -- right, without barrier or shared memory: a warp loads 32 pieces
#include <tessera/lab.cuh>

constexpr int PIECE = 256;
constexpr int BLOCK = 32;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  const int piece = blockIdx.x * BLOCK + threadIdx.x;
  if (piece >= blocks) return;
  float sum = 0.0f;
  for (int i = 0; i < PIECE; ++i) sum += input[piece * PIECE + i];
  partial[piece] = sum;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(ceil_div(blocks, BLOCK)), dim3(BLOCK), 0};
}
