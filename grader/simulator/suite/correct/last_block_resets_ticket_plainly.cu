// check: --kernel k --grid 4 --block 1 --arg int32[4]=zeros --arg uint32[1]=zeros
//        --arg int32[1]=zeros
// The last block's atomic has observed those of all others, so its plain store of 0 follows them
// in causality order (as in the SDK's sample).
__global__ void k(int* part, unsigned* ticket, int* out) {
  part[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
    __threadfence();
    int total = 0;
    for (int b = 0; b < 4; ++b) total += part[b];
    *out = total;
    *ticket = 0;
  }
}
