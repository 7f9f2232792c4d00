// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- a plain store that gives the lock back races with the compare-and-swap of other
//         blocks
// line: 9, 11
__global__ void k(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  __threadfence();
  *lock = 0;
}
