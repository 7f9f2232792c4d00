// expect: technique/11=fail -- a loop for each thread, then a loop in one thread a piece
#include <tessera/lab.cuh>
constexpr int PIECE = 256, EACH = 16, PIECES = 32;
__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  __shared__ __align__(16) float sums[PIECES][EACH + 4];
  const int t = threadIdx.x, piece = t / EACH, l = t % EACH, first = blockIdx.x * PIECES;
  float sum = 0;
  if (first + piece < blocks)
    for (int j = 0; j < EACH; ++j) sum += input[(first + piece) * PIECE + l + EACH * j];
  sums[piece][l] = sum;
  __syncthreads();
  if (t < PIECES && first + t < blocks) {
    float s = 0;
    for (int j = 0; j < EACH; j += 4) {
      const float4 x = *(const float4*)&sums[t][j];
      s += x.x + x.y + x.z + x.w;
    }
    partial[first + t] = s;
  }
}
__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(ceil_div(blocks, PIECES)), dim3(PIECES * EACH), 0};
}
