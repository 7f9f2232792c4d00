// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: step-limit -- blocks must be able to run in any order, in series too: block 0 waits for
//         block 1 without end if it runs first
// line: 12
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* flag, int* out) {
  if (blockIdx.x == 0) {
    int f;
    do {
      LD("acquire.gpu", f, flag);
    } while (f == 0);
    *out = 1;
  } else {
    ST("release.gpu", flag, 1);
  }
}
