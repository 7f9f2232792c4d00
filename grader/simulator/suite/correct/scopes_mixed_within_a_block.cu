// check: --kernel k --grid 1 --block 64 --arg int32[1]=zeros
// All threads are of one block, so block and device scope both include all of them.
__global__ void k(int* count) {
  if (threadIdx.x % 2)
    atomicAdd_block(count, 1);
  else
    atomicAdd(count, 1);
}
