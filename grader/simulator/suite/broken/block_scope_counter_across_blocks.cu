// check: --kernel k --grid 4 --block 32 --arg int32[1]=zeros
// expect: race -- atomicAdd_block is atomic only with threads of its own block
// line: 5
__global__ void k(int* count) {
  if (threadIdx.x == 0) atomicAdd_block(count, 1);
}
