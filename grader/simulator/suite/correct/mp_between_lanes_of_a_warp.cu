// check: --kernel k --grid 1 --block 32 --arg int32[1]=zeros --arg int32[1]=zeros
//        --arg int32[1]=zeros
// Lanes are threads of their own (independent scheduling): release and acquire of cta scope
// order them.
#define LD(sem, v, p) asm volatile("ld." sem ".s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory")
#define ST(sem, p, v) asm volatile("st." sem ".s32 [%0], %1;" ::"l"(p), "r"(v) : "memory")
__global__ void k(int* data, int* flag, int* out) {
  if (threadIdx.x == 3) {
    *data = 42;
    ST("release.cta", flag, 1);
  } else if (threadIdx.x == 9) {
    int f;
    LD("acquire.cta", f, flag);
    if (f == 1) *out = *data;
  }
}
