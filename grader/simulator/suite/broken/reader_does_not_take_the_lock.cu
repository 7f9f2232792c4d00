// check: --kernel k --grid 4 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the last block reads the sum without the lock
// line: 13
__global__ void k(int* lock, int* sum, int* out) {
  if (blockIdx.x == 3) {
    *out = *sum;
    return;
  }
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(lock, 0);
}
