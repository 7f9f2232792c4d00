// expect: technique/7=fail -- two warps sum everything, the others compute nothing
#include <tessera/lab.cuh>
constexpr int PIECE = 256;
__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float turn[32][36];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = blockIdx.x * 32;
  if (warp > 0) {
    unsigned x = threadIdx.x;
    for (int s = 0; s < 700; ++s) x = x * 1664525u + 1013904223u + (x >> 16);
    if (x == 4242424242u && n < 0) partial[0] = 1;
    return;
  }
  for (int q = 0; q < 32; ++q) {
    float mine = 0;
    if (first + q < blocks)
#pragma unroll
      for (int i = 0; i < PIECE / 32; ++i) mine += input[(first + q) * PIECE + i * 32 + lane];
    turn[q][lane] = mine;
  }
  __syncwarp();
  float total = 0;
#pragma unroll
  for (int q = 0; q < 8; ++q) {
    const float4 v = *reinterpret_cast<const float4*>(&turn[lane][q * 4]);
    total += v.x + v.y + v.z + v.w;
  }
  if (first + lane < blocks) partial[first + lane] = total;
}
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(ceil_div(blocks, 32)), dim3(32 * 32), 0};
}
