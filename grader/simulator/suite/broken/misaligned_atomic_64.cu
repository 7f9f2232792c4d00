// check: --kernel CountWide --grid 1 --block 32 --arg uint32[9]=zeros --arg int32[32]=integers
// expect: misaligned -- the 64-bit counters start one 32-bit word past the aligned start
// line: 9
// Counts values by two bits in 64-bit counters after a 32-bit header.
__global__ void CountWide(unsigned* block, const int* x) {
  unsigned long long* counters = reinterpret_cast<unsigned long long*>(block + 1);
  const int bin = x[threadIdx.x] & 3;
  const unsigned long long one = 1;
  atomicAdd(&counters[bin], one);
}
