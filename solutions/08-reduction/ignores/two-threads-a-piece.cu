// expect: technique/7=fail -- right: two threads add 128 elements each, one after the other
#include <tessera/lab.cuh>

constexpr int PIECE = 256;
constexpr int PIECES = 16;  // of a block of one warp

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ float sums[2 * PIECES];
  const int t = threadIdx.x, half = t % 2;
  const int piece = blockIdx.x * PIECES + t / 2;
  float sum = 0.0f;
  if (piece < blocks) {
    const float4* quads = reinterpret_cast<const float4*>(input + piece * PIECE);
    for (int i = half; i < PIECE / 4; i += 2) {
      const float4 quad = quads[i];
      sum += quad.x + quad.y + quad.z + quad.w;
    }
  }
  sums[t] = sum;
  __syncwarp();
  if (half == 0 && piece < blocks) partial[piece] = sum + sums[t + 1];
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(ceil_div(blocks, PIECES)), dim3(2 * PIECES), 0};
}
