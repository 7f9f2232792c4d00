// expect: technique/10=fail -- eight threads add 64 elements each; the others run an empty loop
#include <tessera/lab.cuh>
constexpr int PIECE = 256, LANES = 4, PIECES = 2;
__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float4 sums[PIECES];
  const int piece = threadIdx.x / LANES, lane = threadIdx.x % LANES,
            b = blockIdx.x * PIECES + piece;
  if (threadIdx.x >= 32) {
    unsigned v = threadIdx.x;
    for (int q = 0; q < 300; ++q) v = v * 1664525u + (v >> 16);
    if (v == 424242u && n < 0) partial[0] = 1;
    return;
  }
  if (piece >= PIECES) return;
  float sum = 0;
  if (b < blocks) {
    const float4* from = reinterpret_cast<const float4*>(input + b * PIECE);
    for (int i = lane; i < PIECE / 4; i += LANES) {
      const float4 v = from[i];
      sum += v.x + v.y + v.z + v.w;
    }
  }
  reinterpret_cast<float*>(sums)[threadIdx.x] = sum;
  __syncwarp(0xff);
  if (lane == 0 && b < blocks) {
    const float4 s = sums[piece];
    partial[b] = s.x + s.y + s.z + s.w;
  }
}
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(ceil_div(blocks, PIECES)), dim3(256), 0};
}
