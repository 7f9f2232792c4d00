// check: --kernel SumFirstEight --grid 3 --block 32 --arg float32[96]=uniform
//        --arg float32[3]=unwritten
// expect: clean
// Only the first eight lanes take part in the sum, and the mask names just those.
__global__ void SumFirstEight(const float* x, float* sums) {
  const int lane = threadIdx.x;
  if (lane < 8) {
    float value = x[blockIdx.x * 32 + lane];
    value += __shfl_xor_sync(0xffu, value, 4);
    value += __shfl_xor_sync(0xffu, value, 2);
    value += __shfl_xor_sync(0xffu, value, 1);
    if (lane == 0) sums[blockIdx.x] = value;
  }
}
