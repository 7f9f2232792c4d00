// check: --kernel SwapQuarters --grid 1 --block 32 --arg float32[32]=uniform
//        --arg float32[32]=unwritten
// expect: divergent-barrier -- lanes 8 to 15 call __syncwarp with a mask of lanes 0 to 7
// line: 11
// The lower sixteen lanes exchange values in shared memory.
__global__ void SwapQuarters(const float* x, float* out) {
  __shared__ float slots[32];
  const int lane = threadIdx.x;
  slots[lane] = x[lane];
  if (lane < 16) {
    __syncwarp(0xffu);
    out[lane] = slots[lane];
  } else {
    out[lane] = -slots[lane];
  }
}
