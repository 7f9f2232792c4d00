// check: --kernel k --grid 4 --block 1 --arg int32[4]=zeros --arg uint32[1]=zeros
//        --arg int32[1]=zeros
// As in the guide's example: the parts are accessed through volatile, so their accesses are
// strong, and the fence orders them before the ticket.
__global__ void k(volatile int* part, unsigned* ticket, int* out) {
  part[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
    int total = 0;
    for (int b = 0; b < 4; ++b) total += part[b];
    *out = total;
  }
}
