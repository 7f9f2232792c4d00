// check: --kernel k --grid 1 --block 32 --arg int32[32]=zeros
// expect: divergent-barrier -- the mask names 32 lanes, but only 16 execute the shuffle: all named
//         lanes must execute the same one
// line: 9, 11
__global__ void k(int* out) {
  const int t = threadIdx.x;
  int v = t;
  if (t < 16)
    v = __shfl_xor_sync(0xffffffffu, v, 1);
  else
    out[t] = __ballot_sync(0xffffffffu, v > 20);
  if (t < 16) out[t] = v;
}
