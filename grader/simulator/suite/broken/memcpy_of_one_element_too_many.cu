// check: --kernel k --grid 1 --block 4 --arg int32[32]=index --arg int32[36]=zeros
// expect: out-of-bounds -- thread 3 copies 9 ints from element 24, and the array ends after 8
// line: 6
__global__ void k(const int* in, int* out) {
  const int t = threadIdx.x;
  for (int i = 0; i < 9; ++i) out[9 * t + i] = in[8 * t + i];
}
