// check: --kernel k --grid 2 --block 32 --arg int32[64]=index --arg int32[1]=zeros
// AtomicMax.
__global__ void k(const int* in, int* best) {
  atomicMax(best, in[blockIdx.x * 32 + threadIdx.x]);
}
