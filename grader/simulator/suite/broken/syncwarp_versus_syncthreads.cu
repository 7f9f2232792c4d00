// check: --kernel MixedBarriers --grid 1 --block 32 --arg float32[32]=uniform
//        --arg float32[32]=unwritten
// expect: divergent-barrier -- half of the warp waits at __syncwarp, the other at __syncthreads
// line: 11, 14
// Mirrors each half of a warp.
__global__ void MixedBarriers(const float* x, float* out) {
  __shared__ float slots[32];
  const int lane = threadIdx.x;
  slots[lane] = x[lane];
  if (lane < 16) {
    __syncwarp();
    out[lane] = slots[15 - lane];
  } else {
    __syncthreads();
    out[lane] = 2.0f * slots[47 - lane];
  }
}
