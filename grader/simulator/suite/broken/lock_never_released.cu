// check: --kernel LockedSum --grid 3 --block 1 --arg float32[3]=uniform --arg float32[1]=zeros
//        --arg int32[1]=zeros
// expect: step-limit -- the first owner never releases the lock, so the others wait for ever
// line: 7
// Adds one value of every block under a lock.
__global__ void LockedSum(const float* x, float* total, int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += x[blockIdx.x];
  __threadfence();
}
