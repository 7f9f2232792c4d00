// check: --kernel k --grid 1 --block 128 --arg int32[128]=zeros --arg int32[128]=zeros
// Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2, and read only their pair's
// elements, in global memory too.
__global__ void k(int* a, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x, pair = t / 64;
  s[t] = t;
  a[t] = -t;
  asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
  const int o = pair * 64 + 63 - t % 64;
  out[t] = s[o] + a[o];
}
