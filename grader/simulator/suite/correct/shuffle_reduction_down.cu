// check: --kernel WarpSums --grid 4 --block 128 --arg float32[512]=uniform
//        --arg float32[16]=unwritten
// expect: clean
// One sum for every warp, reduced with shuffle-down.
__global__ void WarpSums(const float* x, float* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  if (threadIdx.x % 32 == 0) sums[i / 32] = value;
}
