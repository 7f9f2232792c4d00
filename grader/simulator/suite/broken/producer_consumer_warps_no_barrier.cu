// check: --kernel TwoWarps --grid 2 --block 64 --arg float32[64]=uniform
//        --arg float32[64]=unwritten
// expect: race -- warp 1 reads what warp 0 writes without a barrier between
// line: 11, 13
// Warp 0 squares values, warp 1 reverses them.
__global__ void TwoWarps(const float* x, float* out) {
  __shared__ float squares[32];
  const int lane = threadIdx.x % 32;
  const int base = blockIdx.x * 32;
  if (threadIdx.x < 32) {
    squares[lane] = x[base + lane] * x[base + lane];
  } else {
    out[base + lane] = squares[31 - lane];
  }
}
