// check: --kernel k --grid 1 --block 32 --arg int32[256]=zeros
// expect: out-of-bounds -- from t = 26 on 5 * t does not fit a signed char, and the index becomes
//         negative
// line: 7
__global__ void k(int* out) {
  const signed char at = (signed char)(threadIdx.x * 5);
  out[at] = 1;
}
