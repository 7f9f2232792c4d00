// check: --kernel DelayLine --grid 1 --block 32 --arg float32[64]=uniform
//        --arg float32[32]=unwritten --arg int32=6
// expect: out-of-bounds -- the delay of six reaches before the start of the local history
// line: 11
// Output of a delay line of four values.
__global__ void DelayLine(const float* x, float* out, int delay) {
  float history[4];
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) history[k] = x[threadIdx.x + k];
  for (int k = 3; k < 20; ++k) {
    sum += history[k % 4 - delay];
    history[k % 4] = sum;
  }
  out[threadIdx.x] = sum;
}
