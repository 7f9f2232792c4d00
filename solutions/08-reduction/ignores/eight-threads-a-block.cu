// expect: technique/9=fail -- right, but each of eight threads adds 64 elements in a loop
#include <tessera/lab.cuh>
constexpr int PIECE = 256, LANES = 4, PIECES = 2;
__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float4 sums[PIECES];
  const int piece = threadIdx.x / LANES, lane = threadIdx.x % LANES,
            b = blockIdx.x * PIECES + piece;
  float sum = 0;
  if (b < blocks) {
    const float4* from = reinterpret_cast<const float4*>(input + b * PIECE);
    for (int i = lane; i < PIECE / 4; i += LANES) {
      const float4 v = from[i];
      sum += v.x + v.y + v.z + v.w;
    }
  }
  reinterpret_cast<float*>(sums)[threadIdx.x] = sum;
  __syncthreads();
  if (lane == 0 && b < blocks) {
    const float4 s = sums[piece];
    partial[b] = s.x + s.y + s.z + s.w;
  }
}
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(ceil_div(blocks, PIECES)), dim3(LANES * PIECES), 0};
}
