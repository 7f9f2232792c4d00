// check: --kernel k --grid 1 --block 64 --arg int32[64]=zeros
// expect: race -- each warp waits at its own barrier, so nothing orders the two warps
// line: 12
__global__ void k(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 32)
    asm volatile("bar.sync 1, 32;" ::: "memory");
  else
    asm volatile("bar.sync 2, 32;" ::: "memory");
  out[t] = s[63 - t];
}
