// check: --kernel k --grid 1 --block 64 --arg int32[4160]=index
// expect: race -- the recurrence runs across threads, with no barrier between its steps
// line: 5
__global__ void k(int* m) {
  for (int r = 1; r < 64; ++r) m[r * 65 + threadIdx.x] = m[(r - 1) * 65 + threadIdx.x + 1];
}
