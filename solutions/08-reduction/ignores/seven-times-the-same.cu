// expect: technique/7=fail -- five warps add everything; for each of them six more repeat its work
#include <tessera/lab.cuh>

constexpr int PIECE = 256, WARPS = 5, COPIES = 7;

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  const int lane = threadIdx.x;
  for (int piece = blockIdx.x; piece < blocks; piece += WARPS) {
    const float4* from = reinterpret_cast<const float4*>(input + piece * PIECE);
    const float4 v = from[lane], w = from[lane + 32];
    float sum = v.x + v.y + v.z + v.w + w.x + w.y + w.z + w.w;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0 && piece % COPIES == blockIdx.y) partial[piece] = sum;
  }
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(WARPS, COPIES), dim3(32), 0};
}
