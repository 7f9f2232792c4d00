// expect: technique/11=fail -- sums of 16 threads through shared memory, and shuffles in which each
// lane takes its own value
#include <tessera/lab.cuh>

constexpr int PIECE = 256;
constexpr int SHARE = 16;  // elements of a thread

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  constexpr int THREADS = PIECE / SHARE;  // of a piece
  __shared__ alignas(16) float sums[1024];
  const int t = threadIdx.x;
  const int piece = (blockIdx.x * blockDim.x + t) / THREADS;
  float sum = 0.0f;
  if (piece < blocks) {
    const float4* from = reinterpret_cast<const float4*>(input + piece * PIECE);
    for (int i = 0; i < SHARE / 4; ++i) {
      const float4 v = from[i * THREADS + t % THREADS];
      sum += v.x + v.y + v.z + v.w;
    }
  }
  for (int i = 0; i < 4; ++i) sum = __shfl_sync(0xffffffff, sum, t % 32);
  sums[t] = sum;
  __syncthreads();
  const int pieces = blockDim.x / THREADS;
  const int mine = blockIdx.x * pieces + t;
  if (t >= pieces || mine >= blocks) return;
  float total = 0.0f;
  for (int i = 0; i < THREADS / 4; ++i) {
    const float4 v = reinterpret_cast<const float4*>(sums)[t * (THREADS / 4) + i];
    total += v.x + v.y + v.z + v.w;
  }
  partial[mine] = total;
}

__host__ __device__ Launch launch(int n, int blocks) {
  const int needed = ceil_div(blocks * (PIECE / SHARE), 32) * 32;
  const int threads = min(needed, 1024);
  return {dim3(ceil_div(blocks * (PIECE / SHARE), threads)), dim3(threads), 0};
}
