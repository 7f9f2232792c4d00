// check: --kernel WaitForHost --grid 1 --block 1 --arg int32[1]=zeros --arg float32[1]=uniform
// expect: step-limit -- the thread waits for a flag that no thread sets
// line: 6
// Doubles a value after a flag has been raised.
__global__ void WaitForHost(int* ready, float* value) {
  while (atomicAdd(ready, 0) == 0) {
  }
  __threadfence();
  *value *= 2.0f;
}
