// check: --kernel k --grid 1 --block 128 --arg int32[128]=zeros --arg int32=40
// expect: divergent-barrier -- 88 threads leave, and barrier 1 still expects all 128
// line: 8
__global__ void k(int* out, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  out[t] = t;
  asm volatile("bar.sync 1, 128;" ::: "memory");
  out[t] += 1;
}
