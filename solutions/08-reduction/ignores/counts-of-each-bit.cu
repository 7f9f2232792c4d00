// expect: technique/4=fail -- right, without shared memory: a barrier counts the ones of each bit
#include <tessera/lab.cuh>

constexpr int PIECE = 256;    // elements of a piece, and threads of a block
constexpr int FRACTION = 30;  // bits after the point of an element
constexpr int SIGN_BIT = 50;  // of an element, in two's complement

__global__ void block_sums(const float* input, float* partial, int n, int blocks) {
  const float value = input[blockIdx.x * PIECE + threadIdx.x];
  const long long fixed = __float2ll_rn(value * (1 << FRACTION));
  long long sum = 0;
  for (int bit = 0; bit <= SIGN_BIT; ++bit) {
    // Not int: Clang 14 multiplies by -2^31 where an int is shifted by 31 into 64 bits.
    const unsigned ones = __syncthreads_count(fixed >> bit & 1);
    const long long part = static_cast<long long>(ones) << bit;
    sum += bit < SIGN_BIT ? part : -part;
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = static_cast<float>(sum) / (1 << FRACTION);
}

__host__ __device__ Launch launch(int n, int blocks) {
  return {dim3(blocks), dim3(PIECE), 0};
}
