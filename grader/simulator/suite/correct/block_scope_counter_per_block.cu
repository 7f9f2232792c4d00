// check: --kernel k --grid 4 --block 64 --arg int32[4]=zeros
// Each block counts in its own word, so block scope is enough.
__global__ void k(int* count) {
  atomicAdd_block(count + blockIdx.x, 1);
}
