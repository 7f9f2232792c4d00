// A few blocks walk over the pieces; after a butterfly of shuffles every lane has the warp's sum.
#include <tessera/lab.cuh>

constexpr int PIECE = 256;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float sums[PIECE / 32];
  const int t = threadIdx.x;
  for (int piece = blockIdx.x; piece < blocks; piece += gridDim.x) {
    float sum = input[piece * PIECE + t];
    for (int step = 1; step < 32; step *= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (t % 32 == 0) sums[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
      sum = t < PIECE / 32 ? sums[t] : 0.0f;
      for (int step = 1; step < 32; step *= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
      if (t == 0) partial[piece] = sum;
    }
    __syncthreads();
  }
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks < 20 ? blocks : 20), dim3(PIECE), 0};
}
