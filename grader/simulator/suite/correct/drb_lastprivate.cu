// check: --kernel k --grid 1 --block 64 --arg int32[1]=zeros
// Only the last thread stores.
__global__ void k(int* last) {
  if (threadIdx.x == blockDim.x - 1) *last = threadIdx.x;
}
