// check: --kernel ArgMax --grid 4 --block 64 --arg float32[256]=uniform --arg uint64[1]=zeros
// expect: clean
// Index of the largest value: ordered bits and index packed in one 64-bit maximum.
__device__ unsigned OrderedBits(float value) {
  const unsigned bits = __float_as_uint(value);
  return (bits & 0x80000000u) ? ~bits : bits | 0x80000000u;
}

__global__ void ArgMax(const float* x, unsigned long long* best) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long key = (static_cast<unsigned long long>(OrderedBits(x[i])) << 32) | i;
  atomicMax(best, key);
}
