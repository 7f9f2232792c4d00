// check: --kernel k --grid 2 --block 1 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// expect: race -- membar.cta is fence.sc.cta: too narrow between blocks
// line: 16
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 1;
    asm volatile("membar.cta;" ::: "memory");
    ST("relaxed.gpu", flag, 1);
  } else {
    int f;
    LD("relaxed.gpu", f, flag);
    asm volatile("membar.gl;" ::: "memory");
    if (f == 1) *out = *data;
  }
}
