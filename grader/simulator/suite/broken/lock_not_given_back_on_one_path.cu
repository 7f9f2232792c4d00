// check: --kernel k --grid 3 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: step-limit -- the block that finds an odd sum returns without giving the lock back
// line: 5
__global__ void k(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  if (*sum % 2 == 1) return;
  __threadfence();
  atomicExch(lock, 0);
}
