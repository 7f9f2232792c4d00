// check: --kernel SignBits --grid 1 --block 64 --arg float32[64]=uniform --arg uint32[2]=zeros
// expect: race -- threads set bits of one word by read, or, write
// line: 8
// Packs the signs of a warp's values in one word.
__global__ void SignBits(const float* x, unsigned* words) {
  const int tid = threadIdx.x;
  if (x[tid] < 0.0f) {
    words[tid / 32] |= 1u << (tid % 32);
  }
}
