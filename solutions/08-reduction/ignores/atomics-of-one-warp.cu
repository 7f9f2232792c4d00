// expect: technique/6=fail -- one warp a piece, few requests: 32 lanes add to one float in turns
#include <tessera/lab.cuh>

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float total;
  const int t = threadIdx.x;
  if (t == 0) total = 0.0f;
  float sum = 0.0f;
  for (int q = 0; q < 8; ++q) sum += input[blockIdx.x * 256 + q * 32 + t];
  __syncthreads();
  atomicAdd(&total, sum);
  __syncthreads();
  if (t == 0) partial[blockIdx.x] = total;
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(32), 0};
}
