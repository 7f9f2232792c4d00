// expect: wrong-result, diagnosis=own-value-repeated -- values go up, and lane 0 stores
#include <tessera/lab.cuh>

constexpr int PIECE = 256;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float sums[PIECE / 32];
  const int t = threadIdx.x;
  float sum = input[blockIdx.x * PIECE + t];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_up_sync(0xffffffff, sum, step);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t >= 32) return;
  sum = t < PIECE / 32 ? sums[t] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_up_sync(0xffffffff, sum, step);
  if (t == 0) partial[blockIdx.x] = sum;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
