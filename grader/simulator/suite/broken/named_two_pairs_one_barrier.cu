// check: --kernel k --grid 1 --block 128 --arg int32[128]=index --arg int32[128]=zeros
// expect: race -- which two warps meet depends on which come first
// line: 9
__global__ void k(const int* x, int* y) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = x[t];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  y[t] = s[t ^ 32];
}
