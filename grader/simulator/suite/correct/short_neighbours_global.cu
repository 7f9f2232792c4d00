// check: --kernel PackShorts --grid 3 --block 64 --arg float32[192]=uniform
//        --arg int16[192]=unwritten
// expect: clean
// Quantizes floats to 16 bits; two threads write the two halves of each word.
__global__ void PackShorts(const float* x, short* packed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // Even and odd elements come from differing formulas, so that neighbours diverge.
  if (i % 2 == 0) {
    packed[i] = static_cast<short>(x[i] * 1000.0f);
  } else {
    packed[i] = static_cast<short>(x[i] * -500.0f);
  }
}
