// check: --kernel CountLargeByWarp --grid 2 --block 96 --arg float32[192]=uniform
//        --arg int32[6]=unwritten --arg float32=0.25
// expect: clean
// Number of values over a limit in each warp, summed by the hardware reduction.
__global__ void CountLargeByWarp(const float* x, int* counts, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int is_large = x[i] > limit ? 1 : 0;
  const int total = __reduce_add_sync(0xffffffffu, is_large);
  if (threadIdx.x % 32 == 0) {
    counts[i / 32] = total;
  }
}
