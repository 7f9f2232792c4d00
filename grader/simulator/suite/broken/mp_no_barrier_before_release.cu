// check: --kernel k --grid 2 --block 64 --arg int32[64]=zeros --arg int32[1]=zeros
//        --arg int32[64]=zeros
// expect: race -- thread 0 releases the flag while other threads of its block may not have written
//         yet
// line: 21
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  __shared__ int seen;
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    if (t == 0) ST("release.gpu", flag, 1);
  } else {
    if (t == 0) {
      int f;
      LD("acquire.gpu", f, flag);
      seen = f;
    }
    __syncthreads();
    if (seen) out[t] = data[63 - t];
  }
}
