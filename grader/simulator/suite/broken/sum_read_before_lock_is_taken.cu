// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[4]=zeros
// expect: race -- the old sum is read before the lock is taken, outside of the critical section
// line: 10
__global__ void k(int* lock, int* sum, int* out) {
  const int old = *sum;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum = 7 + blockIdx.x;
  if (blockIdx.x > 1) out[blockIdx.x] = old;
  __threadfence();
  atomicExch(lock, 0);
}
