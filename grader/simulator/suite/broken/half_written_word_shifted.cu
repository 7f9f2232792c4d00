// check: --kernel upper_halves --grid 1 --block 64 --arg int32[64]=unwritten
// expect: uninitialized-read -- the half that is taken out of the word was never written
// line: 11
// Stores the upper half of each word of shared memory.
__global__ void upper_halves(int* out) {
  __shared__ unsigned int words[64];
  unsigned short* halves = reinterpret_cast<unsigned short*>(words);
  const int t = threadIdx.x;
  halves[2 * t] = static_cast<unsigned short>(t);
  __syncthreads();
  out[t] = static_cast<int>((words[t ^ 1] >> 16) & 1u);
}
