// check: --kernel PairKeys --grid 1 --block 64 --arg uint32[64]=integers --arg uint64[64]=unwritten
// expect: misaligned -- odd threads read a 64-bit word from an address that is no multiple of eight
// line: 12
// Key of each value together with the one after it, read as one 64-bit word.
__global__ void PairKeys(const unsigned* x, unsigned long long* keys) {
  __shared__ __align__(16) unsigned values[66];
  const int tid = threadIdx.x;
  values[tid] = x[tid];
  if (tid < 2) values[64 + tid] = 0;
  __syncthreads();
  const unsigned long long* pair = reinterpret_cast<const unsigned long long*>(&values[tid]);
  keys[tid] = *pair ^ 0x9e3779b97f4a7c15ull;
}
