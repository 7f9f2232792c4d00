// check: --kernel k --grid 4 --block 1 --arg uint32[1]=zeros
// PTX causality order, second clause: the other atomics precede the last one in observation
// order, and that precedes the plain store in program order.
__global__ void k(unsigned* count) {
  if (atomicAdd(count, 1u) == gridDim.x - 1) *count = 0;
}
