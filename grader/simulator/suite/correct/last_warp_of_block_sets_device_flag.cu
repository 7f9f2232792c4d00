// check: --kernel k --grid 2 --block 128 --arg int32[4]=zeros --arg int32[1]=zeros
//        --arg int32[4]=zeros
// Warps count in with block scope; the last of them, which has acquired all, releases with
// device scope.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
#define ADD(sem, r, p, v) \
  asm volatile("atom." sem ".add.s32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  const int w = threadIdx.x / 32;
  int f;
  if (blockIdx.x == 0) {
    data[w] = w + 1;
    ADD("acq_rel.cta", f, &count, 1);
    if (f == 3) ST("release.gpu", flag, 1);
  } else {
    LD("acquire.gpu", f, flag);
    if (f == 1) out[w] = data[3 - w];
  }
}
