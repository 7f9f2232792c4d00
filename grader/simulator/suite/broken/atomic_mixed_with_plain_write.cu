// check: --kernel ResetAndCount --grid 1 --block 128 --arg int32[128]=integers --arg int32[4]=zeros
// expect: race -- the plain reset is not ordered before the other threads' atomics
// line: 8, 10
// Counts values by their two low bits.
__global__ void ResetAndCount(const int* x, int* counts) {
  const int tid = threadIdx.x;
  if (tid < 4) {
    counts[tid] = 0;
  }
  atomicAdd(&counts[x[tid] & 3], 1);
}
