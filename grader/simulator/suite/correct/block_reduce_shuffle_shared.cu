// check: --kernel BlockDot --grid 4 --block 256 --arg float32[1000]=uniform
//        --arg float32[1000]=uniform --arg float32[4]=unwritten --arg int32=1000
// expect: clean
// Dot product of each block's slice: shuffles inside warps, shared memory between them.
__device__ float WarpSum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  return value;
}

__global__ void BlockDot(const float* x, const float* y, float* dots, int n) {
  __shared__ float warp_sums[8];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = WarpSum(i < n ? x[i] * y[i] : 0.0f);
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = WarpSum(lane < 8 ? warp_sums[lane] : 0.0f);
    if (lane == 0) dots[blockIdx.x] = value;
  }
}
