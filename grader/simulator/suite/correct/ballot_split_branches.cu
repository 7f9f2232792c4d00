// check: --kernel SplitBySign --grid 2 --block 64 --arg float32[128]=uniform
//        --arg float32[128]=unwritten
// expect: clean
// The lanes of each side of a divergent branch communicate: the ballot gives the two masks.
__global__ void SplitBySign(const float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = x[i];
  const unsigned positive = __ballot_sync(0xffffffffu, value >= 0.0f);
  if (value >= 0.0f) {
    const float first = __shfl_sync(positive, value, __ffs(positive) - 1);
    out[i] = value - first;
  } else {
    const int hundredths = static_cast<int>(value * 100.0f);
    const int lowest = __reduce_min_sync(~positive, hundredths);
    out[i] = static_cast<float>(lowest);
  }
}
