// check: --kernel k --grid 1 --block 32 --arg int32[32]=zeros
// expect: divergent-barrier -- each calling thread must have its own bit set in the mask
// line: 7
__global__ void k(int* out) {
  const int t = threadIdx.x;
  out[t] = t;
  __syncwarp(0x0000ffffu);
}
