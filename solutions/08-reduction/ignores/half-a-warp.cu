// expect: technique/5=fail -- half a warp adds 16 elements a thread, and joins its sums in shared
// memory
#include <tessera/lab.cuh>

constexpr int PIECE = 256;
__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float4 sums[4];
  __shared__ float4 four;
  const int t = threadIdx.x;
  const float4* piece = reinterpret_cast<const float4*>(input) + blockIdx.x * (PIECE / 4);
  if (t < 16) {
    float sum = 0;
    for (int j = 0; j < 4; ++j) {
      const float4 x = piece[t + 16 * j];
      sum += x.x + x.y + x.z + x.w;
    }
    reinterpret_cast<float*>(sums)[t] = sum;
  }
  __syncwarp();
  if (t < 4) {
    const float4 x = sums[t];
    reinterpret_cast<float*>(&four)[t] = x.x + x.y + x.z + x.w;
  }
  __syncwarp();
  if (t == 0) {
    const float4 x = four;
    partial[blockIdx.x] = x.x + x.y + x.z + x.w;
  }
}
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(32), 0};
}
