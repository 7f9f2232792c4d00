// check: --kernel CountBytes --grid 1 --block 64 --arg uint8[64]=integers --arg int32[4]=zeros
// expect: out-of-bounds -- the bin number has three bits, but there are only four bins
// line: 9
// Counts two low bits of the data together with one of the thread's number.
__global__ void CountBytes(const unsigned char* x, int* bins) {
  const int tid = threadIdx.x;
  const int low_bits = x[tid] & 3;
  const int bin = low_bits | (tid & 4);
  atomicAdd(&bins[bin], 1);
}
