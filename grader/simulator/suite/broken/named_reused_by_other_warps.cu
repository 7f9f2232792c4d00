// check: --kernel k --grid 1 --block 128 --arg int32[128]=index --arg int32[128]=zeros
// expect: race, barrier-deadlock -- warp 2 may come before warp 0 or 1 in their round
// line: 8, 9
__global__ void k(const int* x, int* y) {
  __shared__ int s[128];
  const int t = threadIdx.x, w = t / 32;
  s[t] = x[t];
  if (w < 2) asm volatile("bar.sync 1, 64;" ::: "memory");
  if (w == 0) y[t] = s[t + 32];
  if (w == 1 || w == 2) asm volatile("bar.sync 1, 64;" ::: "memory");
  if (w == 1) y[t] = s[t + 32];
}
