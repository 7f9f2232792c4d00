// check: --kernel NeedsFullWarps --grid 1 --block 48 --arg float32[48]=uniform
//        --arg float32[2]=unwritten
// expect: trap -- the launch breaks the kernel's demand for whole warps
// line: 7
// Sum of every warp; blocks must consist of whole warps.
__global__ void NeedsFullWarps(const float* x, float* sums) {
  if (blockDim.x % 32 != 0) __trap();
  float value = x[threadIdx.x];
  for (int bit = 16; bit > 0; bit /= 2) value += __shfl_xor_sync(0xffffffffu, value, bit);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
}
