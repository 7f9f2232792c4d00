// check: --kernel NestedLock --grid 1 --block 1 --arg float32[1]=uniform --arg int32[1]=zeros
// expect: step-limit -- the helper takes the lock that its caller already holds
// line: 6
// Updates a value under a lock and logs it under the same lock.
__device__ void Lock(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void Unlock(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void NestedLock(float* value, int* lock) {
  Lock(lock);
  *value *= 2.0f;
  Lock(lock);
  *value += 1.0f;
  Unlock(lock);
  Unlock(lock);
}
