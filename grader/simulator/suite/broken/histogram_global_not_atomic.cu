// check: --kernel Histogram --grid 4 --block 64 --arg uint8[256]=integers --arg int32[4]=zeros
// expect: race -- global bins are incremented without atomics
// line: 8, 9
// Counts the two low bits of every byte.
__global__ void Histogram(const unsigned char* x, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int bin = x[i] & 3;
  const int before = bins[bin];
  bins[bin] = before + 1;
}
