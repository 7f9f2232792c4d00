// check: --kernel k --grid 1 --block 32 --arg int32[16]=zeros
// Half of the lanes have exited; the others execute the shuffle and read only living lanes.
__global__ void k(int* out) {
  const int t = threadIdx.x;
  if (t >= 16) return;
  out[t] = __shfl_xor_sync(0xffffffffu, t * 3, 1);
}
