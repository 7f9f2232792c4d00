// check: --kernel AbsoluteMax --grid 2 --block 64 --arg float32[128]=uniform --arg int32[1]=zeros
// expect: clean
// Largest magnitude with a compare-and-swap loop; even the first look is an atomic.
__device__ void AtomicMaxFloat(int* address, float value) {
  int seen = atomicCAS(address, 0, 0);
  while (__int_as_float(seen) < value) {
    const int before = atomicCAS(address, seen, __float_as_int(value));
    if (before == seen) break;
    seen = before;
  }
}

__global__ void AbsoluteMax(const float* x, int* max_bits) {
  AtomicMaxFloat(max_bits, fabsf(x[blockIdx.x * blockDim.x + threadIdx.x]));
}
