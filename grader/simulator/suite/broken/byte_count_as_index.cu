// check: --kernel Copy --grid 1 --block 64 --arg float32[64]=uniform --arg float32[64]=unwritten
//        --arg int32=256
// expect: out-of-bounds -- the length is given in bytes but used as a number of floats
// line: 9
// Copies an array with a strided loop.
__global__ void Copy(const float* x, float* out, int length) {
  const int step = blockDim.x;
  for (int i = threadIdx.x; i < length; i += step) {
    out[i] = x[i];
  }
}
