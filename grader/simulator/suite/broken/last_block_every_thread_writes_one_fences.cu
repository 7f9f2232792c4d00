// check: --kernel k --grid 4 --block 64 --arg int32[256]=zeros --arg uint32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- thread 0 fences and takes the ticket, but no barrier puts the other threads'
//         writes before it
// line: 13
__global__ void k(int* part, unsigned* ticket, int* out) {
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
      __threadfence();
      int total = 0;
      for (int i = 0; i < 256; ++i) total += part[i];
      *out = total;
    }
  }
}
