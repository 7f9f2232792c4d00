// check: --kernel k --grid 2 --block 32 --arg float32[64]=uniform --arg float32[1]=zeros
// The usual loop with atomicCAS, whose first value is read through volatile.
__global__ void k(const float* in, float* best) {
  const float v = in[blockIdx.x * 32 + threadIdx.x];
  int* at = (int*)best;
  int old = *(volatile int*)at;
  while (__int_as_float(old) < v) {
    const int seen = atomicCAS(at, old, __float_as_int(v));
    if (seen == old) break;
    old = seen;
  }
}
