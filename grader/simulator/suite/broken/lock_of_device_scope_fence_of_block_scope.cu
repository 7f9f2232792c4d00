// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- the fences in the lock order only as seen by the own block
// line: 8
__global__ void k(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence_block();
  *sum += 1;
  __threadfence_block();
  atomicExch(lock, 0);
}
