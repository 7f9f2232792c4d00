// check: --kernel k --grid 3 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
// expect: race -- block 2 resets the flag plainly without having read it
// line: 14
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* flag, int* out) {
  if (blockIdx.x == 0) {
    ST("relaxed.gpu", flag, 1);
  } else if (blockIdx.x == 1) {
    int f;
    LD("relaxed.gpu", f, flag);
    *out = f;
  } else {
    *flag = 0;
  }
}
