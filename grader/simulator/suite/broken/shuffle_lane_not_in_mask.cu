// check: --kernel FoldHalves --grid 2 --block 32 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: divergent-barrier -- the upper sixteen lanes run a shuffle whose mask leaves them out
// line: 9
// Adds the value eight lanes further to every value.
__global__ void FoldHalves(const float* x, float* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  float value = x[i];
  value += __shfl_down_sync(0x0000ffffu, value, 8, 16);
  out[i] = value;
}
