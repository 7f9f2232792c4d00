// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- nothing makes the exchange that gives the lock back a release
// line: 8
__global__ void k(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  atomicExch(lock, 0);
}
