// check: --kernel flag_large --grid 1 --block 64 --arg int32[64]=unwritten
// expect: uninitialized-read -- of each word only the lower half was written
// line: 12
// Packs one 16-bit value into each word of shared memory, and compares the words.
__global__ void flag_large(int* flags) {
  __shared__ unsigned int words[64];
  unsigned short* halves = reinterpret_cast<unsigned short*>(words);
  const int t = threadIdx.x;
  halves[2 * t] = static_cast<unsigned short>(t);
  __syncthreads();
  // The upper half of the neighbour's word may hold anything.
  flags[t] = words[t ^ 1] > 32u ? 1 : 0;
}
