// check: --kernel LockedSum --grid 4 --block 1 --arg float32[4]=uniform --arg float32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- the lock is released by a plain store instead of an atomic
// line: 7, 11, 13
// Adds one value of every block under a lock.
__global__ void LockedSum(const float* x, float* total, int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile float* sum = total;
  *sum = *sum + x[blockIdx.x];
  __threadfence();
  *lock = 0;
}
