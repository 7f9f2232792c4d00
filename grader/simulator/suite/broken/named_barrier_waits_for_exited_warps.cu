// check: --kernel k --grid 1 --block 128 --arg int32[128]=zeros
// expect: barrier-deadlock -- two warps have left, and barrier 1 expects 128 threads
// line: 8
__global__ void k(int* out) {
  const int t = threadIdx.x;
  if (t >= 64) return;
  out[t] = t;
  asm volatile("bar.sync 1, 128;" ::: "memory");
  out[t] += 1;
}
