// check: --kernel QuarterExchange --grid 2 --block 32 --arg float32[64]=uniform
//        --arg float32[64]=zeros
// expect: clean
// The first eight lanes exchange values through shared memory under a mask of their own.
__global__ void QuarterExchange(const float* x, float* out) {
  __shared__ float slots[8];
  const int lane = threadIdx.x;
  const int i = blockIdx.x * 32 + lane;
  if (lane < 8) {
    slots[lane] = x[i];
    __syncwarp(0xffu);
    out[i] = slots[7 - lane];
  } else {
    out[i] = x[i];
  }
}
