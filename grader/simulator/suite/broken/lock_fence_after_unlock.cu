// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- the second fence stands after the unlock, so the critical section may leak past
//         it
// line: 9
__global__ void k(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  atomicExch(lock, 0);
  __threadfence();
}
