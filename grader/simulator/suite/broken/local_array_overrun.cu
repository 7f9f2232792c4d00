// check: --kernel LocalWindow --grid 1 --block 32 --arg float32[64]=uniform
//        --arg float32[32]=unwritten --arg int32=12
// expect: out-of-bounds -- a window of twelve does not fit in the array of eight
// line: 10, 12
// Sum and product of a window, kept in a local array.
constexpr int kMaxWindow = 8;

__global__ void LocalWindow(const float* x, float* out, int window) {
  float values[kMaxWindow];
  for (int k = 0; k < window; ++k) values[k] = x[threadIdx.x + k];
  float sum = 0.0f;
  for (int k = 0; k < window; ++k) sum += values[k] * values[window - 1 - k];
  out[threadIdx.x] = sum;
}
