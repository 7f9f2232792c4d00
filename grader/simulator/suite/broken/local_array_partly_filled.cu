// check: --kernel WindowSum --grid 1 --block 32 --arg float32[64]=uniform
//        --arg float32[32]=unwritten --arg int32=5 --arg int32=8
// expect: uninitialized-read -- five elements of the local array are filled, eight are summed
// line: 10
// Weighted sum of a window of values.
__global__ void WindowSum(const float* x, float* out, int filled, int taps) {
  float window[16];
  for (int k = 0; k < filled; ++k) window[k * 3 % 16] = x[threadIdx.x + k];
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum += window[k * 3 % 16] * k;
  out[threadIdx.x] = sum;
}
